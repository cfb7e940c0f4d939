import { PageNumber, PerPage, QueryInteger, Text } from '../../common/input/fields';
import { TimestampField, Picture } from '../../openapi/response-fields';

const MAX_KEYWORD = 64;

export class SearchPeopleQuery {
  /**
   * A whole account (case-insensitive) or an id; with an open directory also a part of the name, from the start of a
   * word.
   */
  @Text({ max: MAX_KEYWORD })
  keyword!: string;

  /** Maximum number of users: 1 to 50. */
  @QueryInteger({ min: 1, max: 50, default: 20 })
  limit!: number;
}

export class ListBlocksQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

/** A user as shown to other users. */
export class PersonResponse {
  id!: number;
  name!: string;
  /** URL of a picture. */
  @Picture()
  avatar!: string | null;
}

/** The users found; there are no further pages. */
export class PeopleResponse {
  items!: PersonResponse[];
}

/** A user's profile and relation to the current user. */
export class ProfileResponse extends PersonResponse {
  /** Whether the user is enabled. */
  is_active!: boolean;
  /** Whether the current user has blocked the user. The opposite direction is never revealed. */
  is_blocked!: boolean;
  /** The id of the single chat with the user; null if there is none. */
  conversation_id!: number | null;
}

/** A user whom the current user has blocked. */
export class BlockedPersonResponse extends PersonResponse {
  /** When the current user blocked the user. */
  @TimestampField()
  blocked_at!: Date;
}
