import type { EnvReader } from './env-reader';

/** How `/metrics` is served. */
export interface MetricsConfig {
  /** Required bearer token; undefined: `/metrics` is public. */
  token?: string;
  /** Time for which a rendered response is cached and shared. */
  maxAgeMs: number;
}

const TOKEN_BYTES = 16;
const MAX_AGE_MS = 60_000;
/** The characters of a bearer token (RFC 6750, 2.1). */
const BEARER_TOKEN = /^[\w.~+/=-]+$/;

/** Reads the variables for `/metrics`. `isProduction` requires a minimum length of the token if there is one. */
export function readMetrics(read: EnvReader, isProduction: boolean): MetricsConfig {
  const token = read.secret('METRICS_TOKEN', isProduction, TOKEN_BYTES);
  if (token !== undefined && !BEARER_TOKEN.test(token))
    read.problem('METRICS_TOKEN must consist of letters, digits and any of - . _ ~ + / =');
  return { token, maxAgeMs: read.integer('METRICS_MAX_AGE_MS', 1_000, 0, MAX_AGE_MS) };
}
