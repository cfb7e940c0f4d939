import { WithHeaders } from '../../common/http/with-headers';

/**
 * The newest cursor of a user, as the column `event_cursor` of the statement that reads what the cursor is sent with,
 * or of the first one that does. `user`: the SQL that names the user.
 */
export const cursorColumn = (user: string): string =>
  `COALESCE((SELECT last_seq FROM event_cursors WHERE user_id = ${user}), 0) AS event_cursor`;

/** An answer with the header `X-Event-Cursor`: the events after that cursor bring it up to date (contract 7). */
export const withCursor = <T>(data: T, cursor: number): WithHeaders<T> =>
  new WithHeaders(data, { 'X-Event-Cursor': cursor });
