import { Column, Entity, Index } from 'typeorm';
import { BigInteger, GeneratedId, TimestampColumn } from '../../database/columns';

export const PUSH_KINDS = ['apns', 'apns_voip', 'fcm', 'webpush', 'gateway'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** `rejected`: the provider does not accept the token; it is tried again at `retry_at`. */
export const TARGET_STATES = ['active', 'rejected'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/* Lengths in characters. */
export const TOKEN_LENGTH = 1_000;
export const APP_LENGTH = 100;
export const PROVIDER_LENGTH = 32;
export const TERMINAL_LENGTH = 64;
export const REASON_LENGTH = 100;

/** A terminal of a user that receives pushes by one provider (API 18.1). */
@Entity('push_targets')
@Index('uq_push_targets_terminal', ['user_id', 'terminal_id', 'kind'], { unique: true })
export class PushTargetEntity {
  @GeneratedId()
  id!: number;

  @BigInteger()
  user_id!: number;

  @Column({ type: 'varchar', length: 10 })
  kind!: PushKind;

  @Column({ type: 'varchar', length: TERMINAL_LENGTH })
  terminal_id!: string;

  /** The session that registered it, which must still exist at each push; null for tokens of an identity provider. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  session_id!: string | null;

  /** The provider's token, or the endpoint of a Web Push subscription. Never logged and never in a response. */
  @Column({ type: 'varchar', length: TOKEN_LENGTH })
  token!: string;

  /** SHA-256 of kind and token in base64url: a token belongs to one user. */
  @Index('uq_push_targets_token', { unique: true })
  @Column({ type: 'varchar', length: 43 })
  token_hash!: string;

  /** Public key of a Web Push subscription in base64url. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  p256dh!: string | null;

  /** Authentication secret of a Web Push subscription in base64url. */
  @Column({ type: 'varchar', length: 30, nullable: true })
  auth!: string | null;

  /** Bundle id of an iOS app; null for other kinds, unless the app has sent one. */
  @Column({ type: 'varchar', length: APP_LENGTH, nullable: true })
  app!: string | null;

  /** Provider behind the gateway; null for other kinds. */
  @Column({ type: 'varchar', length: PROVIDER_LENGTH, nullable: true })
  provider!: string | null;

  /** Whether the token belongs to APNs' sandbox. */
  @Column({ type: 'boolean' })
  sandbox!: boolean;

  @Column({ type: 'varchar', length: 8 })
  state!: TargetState;

  /** Why the provider rejected the last push; null while active. */
  @Column({ type: 'varchar', length: REASON_LENGTH, nullable: true })
  reason!: string | null;

  /** Rejections in a row; each doubles the wait until `retry_at`. */
  @Column({ type: 'int', default: 0 })
  rejections!: number;

  /** A rejected target is tried again from then on; null while active. */
  @TimestampColumn({ nullable: true })
  retry_at!: Date | null;

  /** Whether the endpoint of a Web Push subscription accepted its last push; the others share a lane. */
  @Column({ type: 'boolean', default: false })
  responsive!: boolean;

  /** End of the lease of the instance that sends a push with a badge; null: none is in flight. */
  @TimestampColumn({ nullable: true })
  busy_until!: Date | null;

  /** Random name of that lease. */
  @Column({ type: 'varchar', length: 36, nullable: true })
  busy_claim!: string | null;

  /** Number of pushes whose receipt the terminal has confirmed. */
  @BigInteger({ default: 0 })
  received!: number;

  /** When the terminal last confirmed a push; null if never. */
  @TimestampColumn({ nullable: true })
  received_at!: Date | null;

  /** When the token was last registered: a provider's report of an earlier time is about a former token. */
  @TimestampColumn()
  registered_at!: Date;

  /** When the app last registered, or confirmed a push. */
  @Index('ix_push_targets_seen')
  @TimestampColumn()
  seen_at!: Date;

  @TimestampColumn()
  created_at!: Date;
}
