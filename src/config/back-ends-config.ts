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

const SECRET_BYTES = 32;
const MAX_DAYS = 3_650;

/** Reads the variables for webhooks. `isProduction` requires a minimum length of secrets. */
export function readBackEnds(read: EnvReader, isProduction: boolean): BackEndsConfig {
  return {
    webhookSecret: readSecret(read, 'WEBHOOK_SECRET', isProduction),
    previousWebhookSecret: readSecret(read, 'WEBHOOK_SECRET_PREVIOUS', isProduction),
    webhookRetentionDays: read.integer('WEBHOOK_RETENTION_DAYS', 14, 1, MAX_DAYS),
    outboundAllowedNetworks: readNetworks(read, 'OUTBOUND_ALLOWED_NETWORKS'),
  };
}

function readSecret(read: EnvReader, name: string, isProduction: boolean): string | undefined {
  const secret = read.text(name);
  if (secret !== undefined && isProduction && Buffer.byteLength(secret) < SECRET_BYTES)
    read.problem(`${name} must have at least ${SECRET_BYTES} bytes in production`);
  return secret;
}

function readNetworks(read: EnvReader, name: string): string[] {
  const networks = read.list(name);
  const invalid = networks.filter((network) => !isNetwork(network));
  if (invalid.length > 0)
    read.problem(`${name} must be networks such as 10.0.0.0/8, but has ${invalid.join(', ')}`);
  return networks;
}

function isNetwork(text: string): boolean {
  try {
    networkList([text]);
    return true;
  } catch {
    return false;
  }
}
