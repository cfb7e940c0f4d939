import { PageNumber, PerPage, QueryInteger, Text } from '../../common/input/fields';
import { Moment, Picture } from '../../openapi/response-fields';

const MAX_KEYWORD = 64;

export class SearchPeopleQuery {
  /** A whole account, in whatever case, or an id; where the directory is open also a part of the name, from the beginning of a word. */
  @Text({ max: MAX_KEYWORD })
  keyword!: string;

  /** How many at most: 1 to 50. */
  @QueryInteger({ min: 1, max: 50, default: 20 })
  limit!: number;
}

export class ListBlocksQuery {
  @PageNumber()
  page!: number;

  @PerPage(20)
  per_page!: number;
}

/** A user, as others see it. */
export class PersonResponse {
  id!: number;
  name!: string;
  /** URL of a picture. */
  @Picture()
  avatar!: string | null;
}

/** Those who were found; there are no further pages. */
export class PeopleResponse {
  items!: PersonResponse[];
}

/** A user, as the one who asks stands to it. */
export class ProfileResponse extends PersonResponse {
  /** Whether the user can log in. */
  is_active!: boolean;
  /** Whether one has blocked the user; the other way round is told to nobody. */
  is_blocked!: boolean;
  /** The single chat with the user; null when there is none. */
  conversation_id!: number | null;
}

/** A user whom one has blocked. */
export class BlockedPersonResponse extends PersonResponse {
  /** When one has blocked the user. */
  @Moment()
  blocked_at!: Date;
}
