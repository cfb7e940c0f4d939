import type { DemoLogins } from '../../demo/demo-accounts';
import type { DemoVisitor } from '../../demo/demo-people';
import { OneOfTexts } from '../../openapi/response-fields';

/** The media provider of calls. */
export class MediaConfigResponse {
  /** Value of `MEDIA_PROVIDER`. */
  @OneOfTexts('webrtc', 'agora', 'livekit')
  provider!: string;
  /** Whether calls have audio and video: the built-in provider needs no configuration, the others need credentials. */
  configured!: boolean;
}

/** Limits of lengths, sizes and times. */
export class ClientLimitsResponse {
  /**
   * Maximum number of characters of a text message.
   * @example 5000
   */
  message_length!: number;
  /**
   * Maximum number of characters of a user’s name.
   * @example 50
   */
  name_length!: number;
  /**
   * Maximum number of characters of a group’s name.
   * @example 100
   */
  conversation_name_length!: number;
  /**
   * Maximum number of members of a group.
   * @example 5000
   */
  group_members!: number;
  /**
   * Seconds during which a message may be recalled.
   * @example 120
   */
  recall_seconds!: number;
  /**
   * Seconds during which a text message may be edited; 0: never.
   * @example 900
   */
  edit_seconds!: number;
}

/** Features that are enabled or disabled by the configuration. */
export class ClientFeaturesResponse {
  /** How users find each other: `exact`: by account or id; `open`: by name as well; `off`: not at all. */
  @OneOfTexts('exact', 'open', 'off')
  user_directory!: string;
  /** Whether users may change their names and pictures. */
  profile_editing!: boolean;
  /** Whether users see which users are online. */
  presence!: boolean;
  /** Whether users see typing indicators. */
  typing!: boolean;
}

/** A user of the demo data who can log in. */
export class DemoVisitorResponse implements DemoVisitor {
  /**
   * The account to log in with.
   * @example "alice"
   */
  account!: string;
  /**
   * The user’s name in the demo data.
   * @example "爱丽丝"
   */
  name!: string;
  /** Language of the user’s conversations; null: several languages. */
  @OneOfTexts('zh-CN', 'en')
  language!: 'zh-CN' | 'en' | null;
}

/** Accounts and password for visitors of the demo. */
export class DemoLoginsResponse implements DemoLogins {
  /**
   * Accounts of the demo users.
   * @example ["admin", "alice", "bob", "door", "emma", "liam"]
   */
  accounts!: string[];
  /** The demo users with names and languages, in the same order. */
  people!: DemoVisitorResponse[];
  /** The common password of the accounts. */
  password!: string;
}

/** Configuration that a client needs before log-in. */
export class ClientConfigResponse {
  /**
   * Version of the service.
   * @example "0.4.0"
   */
  version!: string;
  /**
   * IANA time zone of the local times of conversations and messages.
   * @example "Asia/Shanghai"
   */
  time_zone!: string;
  /** Language of messages; `auto`: the language that the client of each request prefers. */
  @OneOfTexts('zh-CN', 'en', 'auto')
  language!: string;
  /** The media provider of calls. */
  media!: MediaConfigResponse;
  /** Limits of lengths, sizes and times. */
  limits!: ClientLimitsResponse;
  /** Features that are enabled or disabled by the configuration. */
  features!: ClientFeaturesResponse;
  /** Demo accounts if there are demo data; null otherwise, and always in production. */
  demo!: DemoLoginsResponse | null;
}
