import {
  checkText,
  EMPTY,
  emptyAsOmitted,
  field,
  Flag,
  Id,
  Integer,
  INVALID,
  OneOf,
  Text,
} from '../../common/input/fields';
import {
  APP_LENGTH,
  PROVIDER_LENGTH,
  PUSH_KINDS,
  type PushKind,
  TERMINAL_LENGTH,
  TOKEN_LENGTH,
} from '../entities/push-target.entity';
import { isAuthSecret, isPublicKey } from '../rules/subscription-keys.rules';

const isWebPush = (dto: object): boolean => (dto as { kind?: unknown }).kind === 'webpush';
const isOther = (dto: object): boolean => !isWebPush(dto);

/** A text that only targets of one kind need. It is required there and checked wherever it is sent. */
const KindText = (options: {
  max: number;
  isOptional: (dto: object) => boolean;
  isValid?: (text: string) => boolean;
}): PropertyDecorator =>
  field({
    optional: options.isOptional,
    read: emptyAsOmitted,
    check: (value) => {
      const violation = checkText(value, { max: options.max });
      if (violation !== undefined) return violation;
      if ((value as string).trim() === '') return EMPTY;
      return (options.isValid ?? (() => true))(value as string) ? undefined : INVALID;
    },
    schema: { type: String, maxLength: options.max, required: false },
  });

/** POST /api/push/targets (API 18.1). */
export class RegisterPushTargetRequest {
  /** How the terminal receives pushes; one of the `kinds` of GET /api/push/config. */
  @OneOf(PUSH_KINDS)
  kind!: PushKind;

  /**
   * The terminal, as in calls: at most 64 characters. It has one target of each kind.
   * @example "phone-1"
   */
  @Text({ max: TERMINAL_LENGTH })
  terminal_id!: string;

  /**
   * The provider's token, at most 1,000 characters. Required unless `kind` is `webpush`.
   * @example "f3b1c0de"
   */
  @KindText({ max: TOKEN_LENGTH, isOptional: isWebPush })
  token?: string;

  /** Whether the token is of APNs' sandbox, as in builds from Xcode. */
  @Flag({ default: false })
  sandbox!: boolean;

  /**
   * Bundle id of the app, one of `APNS_TOPICS`; default: the first. For other kinds any text, for the gateway.
   * @example "com.example.app"
   */
  @Text({ max: APP_LENGTH, optional: true })
  app?: string;

  /**
   * Provider behind the gateway, such as `huawei` or `xiaomi`. Required if `kind` is `gateway`.
   * @example "huawei"
   */
  @KindText({
    max: PROVIDER_LENGTH,
    isOptional: (dto) => (dto as { kind?: unknown }).kind !== 'gateway',
    isValid: (text) => /^[a-z0-9_]+$/.test(text),
  })
  provider?: string;

  /**
   * Web Push: the `endpoint` of the subscription, an https URL at a public address. Required if `kind` is `webpush`.
   * @example "https://push.example/subscriptions/1"
   */
  @KindText({ max: TOKEN_LENGTH, isOptional: isOther, isValid: isPushEndpoint })
  endpoint?: string;

  /**
   * Web Push: the subscription's key `p256dh` in base64url. Required if `kind` is `webpush`.
   * @example "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
   */
  @KindText({ max: 100, isOptional: isOther, isValid: isPublicKey })
  p256dh?: string;

  /**
   * Web Push: the subscription's key `auth` in base64url. Required if `kind` is `webpush`.
   * @example "BTBZMqHH6r4Tts7J_aSIgg"
   */
  @KindText({ max: 30, isOptional: isOther, isValid: isAuthSecret })
  auth?: string;
}

/** Without credentials and fragment, which a push service does not use. */
function isPushEndpoint(text: string): boolean {
  const url = /^https?:\/\/[^\s#]+$/i.test(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '';
}

/** POST /api/push/receipts (API 18.5). */
export class ConfirmPushRequest {
  /**
   * The target that received the push: `target_id` of its data.
   * @example 3
   */
  @Id()
  target_id!: number;

  /**
   * The object of the push: `topic` of its data.
   * @example "conversation:9"
   */
  @Text({ max: 64 })
  topic!: string;

  /**
   * Number of the push: `rev` of its data.
   * @example 1
   */
  @Integer({ min: 1 })
  rev!: number;
}
