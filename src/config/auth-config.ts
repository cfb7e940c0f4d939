import { EnvReader, MAX_SECONDS, SECRET_BYTES } from './env-reader';
import { isVerificationKey } from './public-key';

/**
 * How tokens of identity providers are read: tokens signed with a key of `jwksUrl` or with `publicKey` (API 2.3).
 */
export interface ProviderConfig {
  /**
   * `auto`: a `sub` of decimal digits is a local id, any other text an external id. `external`: every `sub` is an
   * external id.
   */
  subject: 'auto' | 'external';
  /** Name of the role claim, or the path to it, separated by dots. */
  roleClaim: string;
  /** Values of that claim that give the role `admin`. */
  adminValues: readonly string[];
  /**
   * When name and picture are taken from a token: only when the user is created (`first`), or from each newer token too
   * (`token`).
   */
  profileSource: 'first' | 'token';
  /**
   * Issuer of external ids; undefined: that of the token, because there are several providers. '': none, with a single
   * provider.
   */
  issuer?: string;
}

/** Accepted tokens, how they are read, and the lifetime of the service's own tokens. */
export interface AuthConfig {
  /** HS256 secret. Outside production, `local-secrets.ts` fills it in if no key is configured. */
  secret?: string;
  /** Previous secret: its tokens are still accepted, but no new tokens are signed with it. */
  previousSecret?: string;
  jwksUrl?: string;
  publicKey?: string;
  issuer?: string;
  audience?: string;
  provider: ProviderConfig;
  accessTokenTtlSeconds: number;
  refreshTokenTtlSeconds: number;
}

/** Maximum length of an issuer in characters: the length of the column that stores it with external ids. */
export const MAX_ISSUER = 255;

/** Reads the variables for tokens. `isProduction` requires a key and a minimum length of secrets. */
export function readAuth(read: EnvReader, isProduction: boolean): AuthConfig {
  const jwksUrl = readJwksUrl(read);
  const publicKey = read.text('JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n');
  const issuer = readIssuer(read);
  const hasSeveralProviders = jwksUrl !== undefined && publicKey !== undefined;
  const auth = {
    secret: read.secret('JWT_SECRET', isProduction),
    previousSecret: read.secret('JWT_SECRET_PREVIOUS', isProduction),
    jwksUrl,
    publicKey,
    issuer,
    audience: read.text('JWT_AUDIENCE'),
    provider: { ...readProvider(read), issuer: issuer ?? (hasSeveralProviders ? undefined : '') },
    accessTokenTtlSeconds: read.integer('ACCESS_TOKEN_TTL_SECONDS', 7_200, 1, MAX_SECONDS),
    refreshTokenTtlSeconds: read.integer('REFRESH_TOKEN_TTL_SECONDS', 2_592_000, 1, 315_360_000),
  };
  if (auth.publicKey !== undefined && !isVerificationKey(auth.publicKey)) {
    read.problem(
      'JWT_PUBLIC_KEY must be a PEM public key, RSA of 2048 bits or more, P-256 or Ed25519 (line breaks may be \\n)',
    );
  }
  if (isProduction && !auth.secret && !auth.jwksUrl && !auth.publicKey) {
    read.problem('production needs JWT_SECRET (32 bytes or more), JWT_JWKS_URL or JWT_PUBLIC_KEY');
  }
  return auth;
}

/** Returns warnings about short secrets, which are accepted outside production. */
export function authWarnings({ secret, previousSecret }: AuthConfig): string[] {
  return Object.entries({ JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previousSecret })
    .filter(([, value]) => value !== undefined && Buffer.byteLength(value) < SECRET_BYTES)
    .map(
      ([name]) =>
        `${name} has fewer than ${SECRET_BYTES} bytes: it can be guessed, and is rejected in production`,
    );
}

function readIssuer(read: EnvReader): string | undefined {
  const issuer = read.text('JWT_ISSUER');
  if (issuer !== undefined && Array.from(issuer).length > MAX_ISSUER)
    read.problem(`JWT_ISSUER must have at most ${MAX_ISSUER} characters`);
  return issuer;
}

function readProvider(read: EnvReader): Omit<ProviderConfig, 'issuer'> {
  const adminValues = read.list('JWT_ADMIN_VALUES');
  if (read.text('JWT_ADMIN_VALUES') !== undefined && adminValues.length === 0)
    read.problem('JWT_ADMIN_VALUES must name at least one value');
  return {
    subject: read.oneOf('JWT_SUBJECT', ['auto', 'external'], 'auto'),
    roleClaim: read.filledText('JWT_ROLE_CLAIM', 'role'),
    adminValues: adminValues.length > 0 ? adminValues : ['admin'],
    profileSource: read.oneOf('PROFILE_SOURCE', ['first', 'token'], 'first'),
  };
}

/** Rejects credentials in the URL: fetch does not accept them, and would include them in its error message. */
function readJwksUrl(read: EnvReader): string | undefined {
  const url = read.url('JWT_JWKS_URL', ['http', 'https']);
  if (url !== undefined && URL.canParse(url) && new URL(url).username + new URL(url).password !== '') {
    read.problem('JWT_JWKS_URL must not contain a user or a password');
  }
  return url;
}
