import { WithHeaders } from '../../common/http/with-headers';

/**
 * Returns the SQL of a column `event_cursor` with the newest cursor of a user. For the statement that reads the data
 * sent with the cursor; of several statements, the first one. So events after the cursor cover every change that the
 * data lacks.
 * @param user the SQL expression of the user's id
 */
export const cursorColumn = (user: string): string =>
  `COALESCE((SELECT last_seq FROM event_cursors WHERE user_id = ${user}), 0) AS event_cursor`;

/**
 * Adds the header `X-Event-Cursor` to a response: the events after that cursor keep the data up to date (API 13.4).
 */
export const withCursor = <T>(data: T, cursor: number): WithHeaders<T> =>
  new WithHeaders(data, { 'X-Event-Cursor': cursor });
