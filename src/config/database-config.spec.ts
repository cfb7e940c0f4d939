import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { makeCertificate } from '../../test/support/certificates';
import { loadConfig } from './config';
import { loadDatabaseConfig } from './database-config';
import { ConfigError } from './env-reader';

const problemsOf = (env: NodeJS.ProcessEnv): string[] => {
  try {
    loadDatabaseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

const SHAPE = 'DATABASE_URL must be sqlite:<file>, mysql://user:password@host/database or mariadb://…';
const PARAMETERS = 'DATABASE_URL must not have parameters after a ?; use DATABASE_SSL for TLS';
const ESCAPES = 'DATABASE_URL has an invalid % escape in its user, password or database; write % as %25';

describe('Database configuration', () => {
  it.each([
    ['sqlite:./data/x.sqlite', { type: 'better-sqlite3', file: './data/x.sqlite' }],
    ['sqlite:/var/lib/x.sqlite', { type: 'better-sqlite3', file: '/var/lib/x.sqlite' }],
    ['sqlite:///var/lib/x.sqlite', { type: 'better-sqlite3', file: '/var/lib/x.sqlite' }],
    ['sqlite::memory:', { type: 'better-sqlite3', file: ':memory:' }],
    [
      'mysql://u:p@db:3307/calls',
      {
        type: 'mysql',
        host: 'db',
        port: 3307,
        user: 'u',
        password: 'p',
        database: 'calls',
        pipelining: true,
      },
    ],
    [
      'mariadb://u@db/calls',
      {
        type: 'mariadb',
        host: 'db',
        port: 3306,
        user: 'u',
        password: '',
        database: 'calls',
        pipelining: true,
      },
    ],
    [
      'mysql://u:p@[::1]:3307/calls',
      {
        type: 'mysql',
        host: '::1',
        port: 3307,
        user: 'u',
        password: 'p',
        database: 'calls',
        pipelining: true,
      },
    ],
    [
      'mysql://u:p@[2001:db8::7]/calls',
      {
        type: 'mysql',
        host: '2001:db8::7',
        port: 3306,
        user: 'u',
        password: 'p',
        database: 'calls',
        pipelining: true,
      },
    ],
    [
      'mysql://caf%C3%A9:p%40s%2Fs%25^"ü@db/c%20d',
      {
        type: 'mysql',
        host: 'db',
        port: 3306,
        user: 'café',
        password: 'p@s/s%^"ü',
        database: 'c d',
        pipelining: true,
      },
    ],
  ])('reads DATABASE_URL=%s', (url, expected) => {
    expect(loadDatabaseConfig({ DATABASE_URL: url })).toEqual(expected);
    expect(loadConfig({ DATABASE_URL: url }).database).toEqual(expected);
  });

  it.each([
    ['mysql://u:p@db/calls?ssl=true', PARAMETERS],
    ['mysql://u:p@db/calls?charset=latin1&multipleStatements=true', PARAMETERS],
    ['mysql://u:100%@db/calls', ESCAPES],
    ['mysql://u%zz:p@db/calls', ESCAPES],
    ['mysql://u:p@db/50%off', ESCAPES],
    ['mysql://u:p@db', SHAPE],
    ['mysql://u:p@db/', SHAPE],
    ['mysql:///calls', SHAPE],
    ['mysql://u:p@db/calls/more', SHAPE],
    ['mysql://u:p@db/calls#more', SHAPE],
    ['mysql://u:p@::1/calls', SHAPE],
    ['mysql://u:p@[::1/calls', SHAPE],
    ['mysql://u:p@db:port/calls', SHAPE],
    ['postgres://u:p@db/calls', SHAPE],
  ])('rejects DATABASE_URL=%s', (url, problem) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([problem]);
  });

  it('reads DATABASE_PIPELINING', () => {
    const DATABASE_URL = 'mysql://u:p@db/calls';
    expect(loadDatabaseConfig({ DATABASE_URL, DATABASE_PIPELINING: 'off' })).toMatchObject({
      pipelining: false,
    });
    expect(problemsOf({ DATABASE_URL, DATABASE_PIPELINING: 'no' })).toEqual([
      'DATABASE_PIPELINING must be one of on, off, but is "no"',
    ]);
    expect(problemsOf({ DATABASE_PIPELINING: 'off' })).toEqual([
      'DATABASE_PIPELINING is for MySQL and MariaDB, but DATABASE_URL names a SQLite file',
    ]);
  });

  describe('with TLS', () => {
    const DATABASE_URL = 'mysql://u:p@db/calls';
    let folder: string;
    let ca: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'callboard-config-'));
      ca = makeCertificate(folder, 'db').certificate;
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const sslOf = (env: NodeJS.ProcessEnv) => loadDatabaseConfig({ DATABASE_URL, ...env });

    it('is off, required, or verified with the CAs of the system or of a file', () => {
      expect(sslOf({})).not.toHaveProperty('ssl');
      expect(sslOf({ DATABASE_SSL: 'off' })).not.toHaveProperty('ssl');
      expect(sslOf({ DATABASE_SSL: 'required' })).toMatchObject({ ssl: { verify: false } });
      expect(sslOf({ DATABASE_SSL: 'verify' })).toMatchObject({ ssl: { verify: true } });
      expect(sslOf({ DATABASE_SSL: 'verify', DATABASE_SSL_CA: ca })).toMatchObject({
        ssl: { verify: true, ca: readFileSync(ca, 'utf8') },
      });
    });

    it('lists every problem at once', () => {
      expect(
        problemsOf({ DATABASE_URL: `${DATABASE_URL}?ssl=1`, DATABASE_SSL: 'yes', DATABASE_SSL_CA: ca }),
      ).toEqual([
        'DATABASE_SSL must be one of off, required, verify, but is "yes"',
        'DATABASE_SSL_CA requires DATABASE_SSL=verify',
        PARAMETERS,
      ]);
    });

    it('rejects a CA file that is unused, unreadable or invalid', () => {
      const garbage = join(folder, 'garbage.pem');
      writeFileSync(garbage, 'not a certificate');
      const unread = ['DATABASE_SSL_CA requires DATABASE_SSL=verify'];
      expect(problemsOf({ DATABASE_URL, DATABASE_SSL_CA: ca })).toEqual(unread);
      expect(problemsOf({ DATABASE_URL, DATABASE_SSL_CA: ca, DATABASE_SSL: 'required' })).toEqual(unread);
      for (const file of [garbage, join(folder, 'missing.pem'), folder]) {
        expect(problemsOf({ DATABASE_URL, DATABASE_SSL_CA: file, DATABASE_SSL: 'verify' })).toEqual([
          'DATABASE_SSL_CA must be a readable file with certificates in PEM',
        ]);
      }
    });

    it('requires a host name for verification', () => {
      const problem =
        'DATABASE_SSL=verify requires a host name in DATABASE_URL, to compare with the certificate of the server';
      for (const host of ['10.0.0.7', '[::1]']) {
        const url = `mysql://u:p@${host}/calls`;
        expect(problemsOf({ DATABASE_URL: url, DATABASE_SSL: 'verify' })).toEqual([problem]);
        expect(problemsOf({ DATABASE_URL: url, DATABASE_SSL: 'required' })).toEqual([]);
      }
    });

    it('is rejected for SQLite', () => {
      expect(problemsOf({ DATABASE_SSL: 'required' })).toEqual([
        'DATABASE_SSL is for MySQL and MariaDB, but DATABASE_URL names a SQLite file',
      ]);
    });
  });
});
