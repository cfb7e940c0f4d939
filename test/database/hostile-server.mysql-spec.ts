import { DataSource } from 'typeorm';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';
import { startMariadb } from '../support/throwaway-mariadb.js';

/** Server options that an operator may have set for other applications. */
const SERVER = [
  '--sql-mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE',
  '--autocommit=0',
  '--completion-type=CHAIN',
  '--default-time-zone=+08:00',
  '--character-set-server=latin1',
  '--skip-character-set-client-handshake',
];

/** Texts that would end their quotes on a server on which a backslash escapes nothing. */
const ESCAPES = [
  "it's",
  "\\', (SELECT VERSION()), NULL, NOW(), NULL, NULL, NULL) -- ",
  "', (SELECT VERSION()), NULL, NOW(), NULL, NULL, NULL) -- ",
  "\\\\', 1) #",
  '"; DROP TABLE messages; -- ',
  "\\' || (SELECT password_hash FROM users LIMIT 1) || '",
  '\\',
  "'",
  '\u00BF\u005C\u0027 OR 1=1 #',
  'a\nb\rc\u001Ad',
  '你好 😀',
];

let server: Awaited<ReturnType<typeof startMariadb>>;
beforeAll(async () => {
  server = await startMariadb(SERVER);
  process.env.TEST_MYSQL_URL = server.url;
  // The migrations create the tables of this server, because the template is on the server of the other tests.
  delete process.env.TEST_TEMPLATES;
});
afterAll(() => server?.stop());

describe('A MySQL server with other defaults', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test?.close());

  it('keeps texts quoted when a statement is too long to be prepared', async () => {
    const senders = await ChatUser.signInAll(
      test.api,
      Array.from({ length: 5 * ESCAPES.length }, (_, index) => 1 + index),
    );
    const [first, ...others] = senders as [ChatUser, ...ChatUser[]];
    const group = await first.createGroup(others.map(({ id }) => id));
    const textOf = (index: number): string => `${ESCAPES[index % ESCAPES.length]}`;
    const responses = await Promise.all(
      senders.map((sender, index) => sender.trySend(group, { type: 'text', content: textOf(index) })),
    );
    expect(responses.map(({ status }) => status)).toEqual(senders.map(() => 200));
    const kept = (await first.peek(group)).map(({ sender_id, content }) => [sender_id, content]);
    expect(new Map(kept as [number, string][])).toEqual(
      new Map(senders.map(({ id }, index) => [id, textOf(index)])),
    );
  });

  it('stores text as utf8mb4 when its default is latin1', async () => {
    const dataSource = test.app.get(DataSource);
    expect(await dataSource.query('SELECT @@character_set_database AS charset')).toEqual([
      { charset: 'latin1' },
    ]);
    const columns = await dataSource.query<object[]>(
      `SELECT table_name AS of, column_name AS name FROM information_schema.columns
       WHERE table_schema = DATABASE() AND character_set_name <> 'utf8mb4'`,
    );
    // TypeORM creates the table of migrations; the names in it are ASCII.
    expect(columns).toEqual([{ of: 'migrations', name: 'name' }]);
  });

  it('runs sessions with the service’s settings, inside and outside transactions', async () => {
    const settings =
      'SELECT @@sql_mode AS mode, @@time_zone AS zone, @@completion_type AS completion, @@autocommit AS autocommit, ' +
      '@@character_set_client AS client, @@character_set_connection AS literals, @@character_set_results AS results, ' +
      '@@wait_timeout AS silence';
    const known = {
      mode: 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      zone: '+00:00',
      autocommit: 1,
      completion: 'NO_CHAIN',
      client: 'utf8mb4',
      literals: 'utf8mb4',
      results: 'utf8mb4',
      silence: 120,
    };
    const dataSource = test.app.get(DataSource);
    expect(await dataSource.query(settings)).toEqual([known]);
    const inTransaction = await dataSource.transaction((em) => em.query(settings));
    expect(inTransaction).toEqual([{ ...known, autocommit: 0 }]);
  });
});
