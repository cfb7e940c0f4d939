import type { DemoLogins } from '../../demo/demo-accounts';
import type { DemoVisitor } from '../../demo/demo-people';
import { OneOfTexts, TextList } from '../../openapi/response-fields';

/** Who carries the sound and pictures of calls. */
export class MediaConfigResponse {
  /** As `MEDIA_PROVIDER` names it. */
  @OneOfTexts('webrtc', 'agora', 'livekit')
  provider!: string;
  /** Whether calls have sound and pictures: the built-in provider needs nothing, the others credentials. */
  configured!: boolean;
}

/** Lengths, sizes and times. */
export class ClientLimitsResponse {
  /**
   * Characters of a text message.
   * @example 5000
   */
  message_length!: number;
  /**
   * Characters of a user’s name.
   * @example 50
   */
  name_length!: number;
  /**
   * Characters of a group’s name.
   * @example 100
   */
  conversation_name_length!: number;
  /**
   * Members of a group.
   * @example 5000
   */
  group_members!: number;
  /**
   * For how many seconds a message may be taken back.
   * @example 120
   */
  recall_seconds!: number;
  /**
   * For how many seconds a text may be edited; 0: never.
   * @example 900
   */
  edit_seconds!: number;
}

/** What is switched on. */
export class ClientFeaturesResponse {
  /** Who finds whom: `exact`, by account or id; `open`, by name too; `off`, nobody. */
  @OneOfTexts('exact', 'open', 'off')
  user_directory!: string;
  /** Whether users change their own names and pictures. */
  profile_editing!: boolean;
  /** Whether users see who is there. */
  presence!: boolean;
  /** Whether users see who is typing. */
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
  /** The language of the user’s conversations; null: of all of them. */
  @OneOfTexts('zh-CN', 'en')
  language!: 'zh-CN' | 'en' | null;
}

/** By which anybody may log in to look around. */
export class DemoLoginsResponse implements DemoLogins {
  /**
   * The accounts that there are.
   * @example ["admin", "alice", "bob", "door", "emma", "liam"]
   */
  @TextList()
  accounts!: string[];
  /** The same with their names and languages, in the same order. */
  people!: DemoVisitorResponse[];
  /** The password of them all. */
  password!: string;
}

/** What a client must know before anybody has logged in. */
export class ClientConfigResponse {
  /**
   * The service’s version.
   * @example "0.3.0"
   */
  version!: string;
  /**
   * The IANA time zone in which conversations and messages are dated.
   * @example "Asia/Shanghai"
   */
  time_zone!: string;
  /** The language of messages; `auto`: of each answer what its client likes best. */
  @OneOfTexts('zh-CN', 'en', 'auto')
  language!: string;
  /** Who carries the sound and pictures of calls. */
  media!: MediaConfigResponse;
  /** What fields may hold, and for how long things may be done. */
  limits!: ClientLimitsResponse;
  /** What is switched on. */
  features!: ClientFeaturesResponse;
  /** Accounts to look around with, where there are demo data; null elsewhere, and always in production. */
  demo!: DemoLoginsResponse | null;
}
