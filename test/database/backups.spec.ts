import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createMysqlDatabase, onMysql, type TestDatabase } from '../support/database';
import { findProgram } from '../support/mysql-available.js';
import { shellBlocks } from '../support/shell-blocks';
import { ChatUser } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

/* The commands of docs/operations.md for a backup and its restoration, word for word. */

const run = promisify(execFile);

/** Returns the commands of the shell block in docs/operations.md that contains a text. */
const commandsWith = (part: string): string =>
  shellBlocks('docs/operations.md').find(({ code }) => code.includes(part))?.code ?? '';

describe('A backup made as in docs/operations.md', () => {
  let test: TestApp;
  let folder: string;
  beforeAll(async () => {
    test = await createTestApp();
    folder = mkdtempSync(join(tmpdir(), 'callboard-backup-'));
    const [ann] = await ChatUser.signInAll(test.api, [1, 2]);
    await ann?.api.post('/api/messages/conversations', { type: 'single', peer_id: 2 });
    await ann?.api.post('/api/messages/conversations/1/messages', { type: 'text', content: 'kept' });
  });
  afterAll(async () => {
    await test?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const paste = (commands: string): Promise<unknown> =>
    run('bash', ['-e', '-o', 'pipefail', '-c', commands], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    });

  /** Asserts that a restored database has the message and makes clients reload their state. */
  const expectRestored = async (database: TestDatabase): Promise<void> => {
    const restored = await createTestApp({ database, clock: test.clock });
    try {
      const ann = await restored.api.as({ id: 1 });
      const { body } = await ann.get('/api/messages/conversations');
      expect(body.data.items).toMatchObject([{ last_message: 'kept' }]);
      const { items } = (await ann.get('/api/events/poll?after=1')).body.data;
      expect(items).toMatchObject([{ type: 'resync' }]);
    } finally {
      await restored.close();
    }
  };

  it('can be restored', async () => {
    cpSync('deploy', join(folder, 'deploy'), { recursive: true });
    if (onMysql()) {
      const { hostname, port, username, pathname } = new URL(test.database.url.replace(/^\w+:/, 'http:'));
      const restored = await createMysqlDatabase();
      // The test's database has another port and name than that of the document.
      for (const program of ['mariadb', 'mariadb-dump']) {
        const path = findProgram(program, program.replace('mariadb', 'mysql')) ?? program;
        const login = `-h${hostname} -P${port || 3306} -u${username || 'root'}`;
        writeFileSync(join(folder, program), `#!/bin/sh\nexec ${path} --no-defaults ${login} "$@"\n`, {
          mode: 0o755,
        });
      }
      const commands = commandsWith('mariadb-dump')
        .replaceAll('callboard_restored', restored.url.split('/').at(-1) ?? '')
        .replaceAll(/ callboard( |$)/g, ` ${pathname.slice(1)}$1`);
      try {
        await paste(commands);
        await expectRestored(restored);
      } finally {
        await restored.drop();
      }
      return;
    }
    const [online = '', , inImage = '', ...after] = commandsWith('sqlite3 data').trim().split('\n');
    mkdirSync(join(folder, 'data'));
    symlinkSync(test.database.url.replace('sqlite:', ''), join(folder, 'data/callboard.sqlite'));
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'node'), `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
    const hasShell = findProgram('sqlite3') !== undefined;
    for (const [command, backup] of [
      [inImage, 'data/backup.sqlite'],
      ...(hasShell ? [[online, 'backup.sqlite'] as const] : []),
    ] as const) {
      await paste(command);
      const place = join(folder, 'restored', backup, 'data');
      mkdirSync(place, { recursive: true });
      cpSync(join(folder, backup), join(place, 'callboard.sqlite'));
      cpSync('deploy', join(place, '../deploy'), { recursive: true });
      if (!hasShell) continue;
      await paste(`cd ${join(place, '..')}\n${after.join('\n')}`);
      await expectRestored({ url: `sqlite:${join(place, 'callboard.sqlite')}`, drop: async () => undefined });
    }
  });
});
