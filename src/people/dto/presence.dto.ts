import { field, INVALID, QueryId } from '../../common/input/fields';
import { TimestampField } from '../../openapi/response-fields';

const MAX_USERS = 100;

/** Parses a list of ids such as `2,3` and removes duplicates; undefined if the text is malformed. */
function parseIds(text: string): number[] | undefined {
  const ids = text.split(',').map((part) => (/^\d{1,16}$/.test(part) ? Number(part) : 0));
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? [...new Set(ids)] : undefined;
}

/** Comma-separated ids in a query; validated as an array. */
const QueryIds = (): PropertyDecorator =>
  field({
    optional: true,
    read: (value) =>
      value === '' ? undefined : typeof value === 'string' ? (parseIds(value) ?? value) : value,
    check: (value) => {
      if (!Array.isArray(value) || !value.every((id) => typeof id === 'number')) return INVALID;
      if (value.length > MAX_USERS) return (catalogue) => catalogue.tooMany(MAX_USERS);
      return undefined;
    },
    schema: { type: String, pattern: String.raw`^\d{1,16}(,\d{1,16})*$` },
  });

export class PresenceQuery {
  /**
   * Ids of the users to show, at most 100, separated by commas. Either this or `conversation_id` is required.
   * @example "2,3"
   */
  @QueryIds()
  user_ids?: number[];

  /** The conversation whose members to show. */
  @QueryId()
  conversation_id?: number;
}

/** The presence of a user. */
export class PresenceItemResponse {
  user_id!: number;
  /**
   * Whether the user has an event stream open or had one within the last 10 s. False if the presence is not visible.
   */
  online!: boolean;
  /** When the user was last online; null while the user is online, and if the presence is not visible. */
  @TimestampField()
  last_seen_at!: Date | null;
}

export class PresenceResponse {
  items!: PresenceItemResponse[];
}
