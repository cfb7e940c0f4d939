import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { EnvReader } from './env-reader';
import { tryTo } from './try-to';

export interface SqliteConfig {
  type: 'better-sqlite3';
  file: string;
}

export interface MysqlConfig {
  type: 'mysql' | 'mariadb';
  /** Name or IP address; an IPv6 address without brackets. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Undefined: the connection is not encrypted. */
  ssl?: TlsConfig;
  /** Whether the statements of a transaction are sent without waiting for earlier results. */
  pipelining: boolean;
}

export interface TlsConfig {
  /** Whether the certificate of the server must be valid and issued for its host name. */
  verify: boolean;
  /** Trusted certificate authorities in PEM. Default: those of the system. */
  ca?: string;
}

export type DatabaseConfig = SqliteConfig | MysqlConfig;

const MYSQL_PORT = 3306;
const NOT_FOR_SQLITE = 'is for MySQL and MariaDB, but DATABASE_URL names a SQLite file';
const INVALID_URL = 'DATABASE_URL must be sqlite:<file>, mysql://user:password@host/database or mariadb://…';

/**
 * Reads only the database configuration, for tools that need nothing else of the service.
 * @throws {ConfigError} if one of its variables is invalid
 */
export function loadDatabaseConfig(env: NodeJS.ProcessEnv): DatabaseConfig {
  const read = new EnvReader(env);
  const database = readDatabase(read);
  read.finish();
  return database;
}

/** Reads DATABASE_URL, DATABASE_SSL, the file that DATABASE_SSL_CA names, and DATABASE_PIPELINING. */
export function readDatabase(read: EnvReader): DatabaseConfig {
  const url = read.text('DATABASE_URL') ?? 'sqlite:./data/callboard.sqlite';
  const ssl = readTls(read);
  const pipelining = read.oneOf('DATABASE_PIPELINING', ['on', 'off'], 'on') === 'on';
  if (!url.startsWith('sqlite:')) return { ...readMysql(read, url, ssl), pipelining };
  const file = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (file === '') read.problem('DATABASE_URL has no SQLite file; use sqlite:./path or sqlite::memory:');
  if (ssl) read.problem(`DATABASE_SSL ${NOT_FOR_SQLITE}`);
  if (!pipelining) read.problem(`DATABASE_PIPELINING ${NOT_FOR_SQLITE}`);
  return { type: 'better-sqlite3', file };
}

/**
 * Reads the URL of a MySQL or MariaDB server. Error texts contain no part of it: a supposed parameter may be part of a
 * password.
 */
function readMysql(
  read: EnvReader,
  text: string,
  ssl: TlsConfig | undefined,
): Omit<MysqlConfig, 'pipelining'> {
  const type = (['mysql', 'mariadb'] as const).find((scheme) => text.startsWith(`${scheme}://`));
  const url = URL.parse(text);
  const isComplete = type !== undefined && url?.hostname && /^\/[^/]+$/.test(url.pathname) && url.hash === '';
  if (!isComplete) {
    read.problem(INVALID_URL);
    return { type: 'mysql', host: '', port: MYSQL_PORT, user: '', password: '', database: '' };
  }
  if (url.search !== '')
    read.problem('DATABASE_URL must not have parameters after a ?; use DATABASE_SSL for TLS');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (ssl?.verify && isIP(host) !== 0)
    read.problem(
      'DATABASE_SSL=verify requires a host name in DATABASE_URL, to compare with the certificate of the server',
    );
  return {
    type,
    host,
    port: url.port === '' ? MYSQL_PORT : Number(url.port),
    ...readEscaped(read, url),
    ...(ssl && { ssl }),
  };
}

function readEscaped(read: EnvReader, url: URL): Pick<MysqlConfig, 'user' | 'password' | 'database'> {
  try {
    return {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
    };
  } catch {
    read.problem('DATABASE_URL has an invalid % escape in its user, password or database; write % as %25');
    return { user: '', password: '', database: '' };
  }
}

function readTls(read: EnvReader): TlsConfig | undefined {
  const mode = read.oneOf('DATABASE_SSL', ['off', 'required', 'verify'], 'off');
  const file = read.text('DATABASE_SSL_CA');
  if (file !== undefined && mode !== 'verify') read.problem('DATABASE_SSL_CA requires DATABASE_SSL=verify');
  if (mode === 'off') return undefined;
  return { verify: mode === 'verify', ...(file !== undefined && { ca: readCertificates(read, file) }) };
}

function readCertificates(read: EnvReader, file: string): string | undefined {
  const pem = tryTo(() => readFileSync(file, 'utf8'));
  if (pem !== undefined && tryTo(() => new X509Certificate(pem)) !== undefined) return pem;
  read.problem('DATABASE_SSL_CA must be a readable file with certificates in PEM');
  return undefined;
}
