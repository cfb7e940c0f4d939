import { tryTo } from './try-to';
import { networkList } from './networks';
import type { EnvReader } from './env-reader';

/** Configuration of webhooks (API 14.3). */
export interface BackEndsConfig {
  /**
   * Secret from which the signing secrets of webhooks are derived. Outside production, `local-secrets.ts` fills it in
   * if it is not set.
   */
  webhookSecret?: string;
  /** Previous secret. Deliveries are additionally signed with the secrets derived from it. */
  previousWebhookSecret?: string;
  /** Number of days for which deliveries are kept. */
  webhookRetentionDays: number;
  /** Non-public networks to which outbound requests are allowed, also by plain http. */
  outboundAllowedNetworks: string[];
}

const MAX_DAYS = 3_650;

/** Reads the variables for webhooks. `isProduction` requires a minimum length of secrets. */
export function readBackEnds(read: EnvReader, isProduction: boolean): BackEndsConfig {
  return {
    webhookSecret: read.secret('WEBHOOK_SECRET', isProduction),
    previousWebhookSecret: read.secret('WEBHOOK_SECRET_PREVIOUS', isProduction),
    webhookRetentionDays: read.integer('WEBHOOK_RETENTION_DAYS', 14, 1, MAX_DAYS),
    outboundAllowedNetworks: read.validList(
      'OUTBOUND_ALLOWED_NETWORKS',
      (text) => tryTo(() => networkList([text])) !== undefined,
      'networks such as 10.0.0.0/8',
    ),
  };
}
