import { field, INVALID, QueryId } from '../../common/input/fields';
import { Moment } from '../../openapi/response-fields';

const MOST = 100;

/** The ids of a text such as `2,3`, each once; undefined when it is another kind of text. */
function idsIn(text: string): number[] | undefined {
  const ids = text.split(',').map((part) => (/^\d{1,16}$/.test(part) ? Number(part) : 0));
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? [...new Set(ids)] : undefined;
}

/** Ids in a query, separated by commas; an array once they are read. */
const QueryIds = (): PropertyDecorator =>
  field({
    optional: true,
    read: (value) => (value === '' ? undefined : typeof value === 'string' ? (idsIn(value) ?? value) : value),
    check: (value) => {
      if (!Array.isArray(value) || !value.every((id) => typeof id === 'number')) return INVALID;
      if (value.length > MOST) return (words) => words.tooMany(MOST);
      return undefined;
    },
    schema: { type: String, pattern: String.raw`^\d{1,16}(,\d{1,16})*$` },
  });

export class PresenceQuery {
  /**
   * Whom to show, at most 100, separated by commas. This or `conversation_id`.
   * @example "2,3"
   */
  @QueryIds()
  user_ids?: number[];

  /** Whose members to show. */
  @QueryId()
  conversation_id?: number;
}

/** Whether somebody is there. */
export class PresenceItemResponse {
  user_id!: number;
  /** Whether the user listens to events, or did so within 10 s. False also where that is none of one's business. */
  online!: boolean;
  /** When the user did so last; null while the user is there, and where it is none of one's business. */
  @Moment()
  last_seen_at!: Date | null;
}

export class PresenceResponse {
  items!: PresenceItemResponse[];
}
