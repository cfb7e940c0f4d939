import { EnvReader, MAX_SECONDS } from './env-reader';
import { isVerificationKey } from './public-key';

/** How the tokens of identity providers are read, those under `jwksUrl` or `publicKey` (contract 18.1). */
export interface ProviderConfig {
  /** `auto`: plain decimal digits in `sub` are a local id, any other text an external one. `external`: all of it is. */
  subject: 'auto' | 'external';
  /** The name of the claim with the role, or the path to it with dots. */
  roleClaim: string;
  /** The values of that claim that make an administrator. */
  adminValues: readonly string[];
  /** When a user's name and picture are taken from tokens: at first sight, or from each newer one too. */
  profileSource: 'first' | 'token';
  /** The issuer of external ids; undefined: the one that the token names, there being several providers. */
  issuer?: string;
}

/** Whose tokens are accepted, how they are read, and how long our own last. */
export interface AuthConfig {
  /** HS256 secret; absent in development until `local-secrets.ts` fills it in. */
  secret?: string;
  /** The secret before: its tokens are still good, none are signed with it. */
  previousSecret?: string;
  jwksUrl?: string;
  publicKey?: string;
  issuer?: string;
  audience?: string;
  provider: ProviderConfig;
  accessTokenTtlSeconds: number;
  refreshTokenTtlSeconds: number;
}

const SECRET_BYTES = 32;
/** Of an issuer, in characters: as long as the column that keeps it beside external ids. */
export const MAX_ISSUER = 255;

/** Reads everything about tokens; `isProduction` asks for keys, and for long ones. */
export function readAuth(read: EnvReader, isProduction: boolean): AuthConfig {
  const jwksUrl = readJwksUrl(read);
  const publicKey = read.text('JWT_PUBLIC_KEY')?.replaceAll('\\n', '\n');
  const issuer = readIssuer(read);
  const areSeveral = jwksUrl !== undefined && publicKey !== undefined;
  const auth = {
    secret: read.text('JWT_SECRET'),
    previousSecret: read.text('JWT_SECRET_PREVIOUS'),
    jwksUrl,
    publicKey,
    issuer,
    audience: read.text('JWT_AUDIENCE'),
    provider: { ...readProvider(read), issuer: issuer ?? (areSeveral ? undefined : '') },
    accessTokenTtlSeconds: read.integer('ACCESS_TOKEN_TTL_SECONDS', 7_200, 1, MAX_SECONDS),
    refreshTokenTtlSeconds: read.integer('REFRESH_TOKEN_TTL_SECONDS', 2_592_000, 1, 315_360_000),
  };
  for (const [name, secret] of [
    ['JWT_SECRET', auth.secret],
    ['JWT_SECRET_PREVIOUS', auth.previousSecret],
  ] as const) {
    if (secret !== undefined && isProduction && Buffer.byteLength(secret) < SECRET_BYTES) {
      read.problem(`${name} must have at least ${SECRET_BYTES} bytes in production`);
    }
  }
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

/** What somebody who runs the service outside production should know about its secrets, though it works. */
export function authWarnings({ secret, previousSecret }: AuthConfig): string[] {
  return Object.entries({ JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previousSecret })
    .filter(([, value]) => value !== undefined && Buffer.byteLength(value) < SECRET_BYTES)
    .map(
      ([name]) =>
        `${name} has fewer than ${SECRET_BYTES} bytes: it can be guessed, and production refuses it`,
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

/** fetch takes no credentials in an address, and would put them into its complaint. */
function readJwksUrl(read: EnvReader): string | undefined {
  const url = read.url('JWT_JWKS_URL', ['http', 'https']);
  if (url !== undefined && URL.canParse(url) && new URL(url).username + new URL(url).password !== '') {
    read.problem('JWT_JWKS_URL must have no user and no password in it');
  }
  return url;
}
