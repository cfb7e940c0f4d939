import { networkList } from './networks';
import type { EnvReader } from './env-reader';

/** How back ends are told of what happens (contract 12.2). */
export interface BackEndsConfig {
  /** Of which the secrets of webhooks are made; absent in development until `local-secrets.ts` fills it in. */
  webhookSecret?: string;
  /** The secret before, whose secrets sign along. */
  previousWebhookSecret?: string;
  /** For how many days deliveries are kept. */
  webhookRetentionDays: number;
  /** Networks that are spoken to though they are not public, by plain http too. */
  outboundAllowedNetworks: string[];
}

const SECRET_BYTES = 32;
const MAX_DAYS = 3_650;

/** Reads everything about webhooks; `isProduction` asks for long secrets. */
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
  const wrong = networks.filter((network) => !isNetwork(network));
  if (wrong.length > 0)
    read.problem(`${name} must be networks such as 10.0.0.0/8, but has ${wrong.join(', ')}`);
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
