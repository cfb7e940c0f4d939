import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { mayRepeat } from '../src/http/retry.js';
import { OPERATIONS } from '../src/generated/operations.gen.js';

const COMMITTED = 'packages/client/src/generated';

const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

describe('The generated part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-generated-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is equal to the output of `npm run client:generate`', async () => {
    const script = resolve('dist/scripts/client/run.js');
    await promisify(execFile)(process.execPath, [script, '--into', folder]);
    expect(Object.keys(contentsOf(folder))).toEqual(['errors.gen.ts', 'operations.gen.ts', 'types.gen.ts']);
    expect(contentsOf(folder)).toEqual(contentsOf(COMMITTED));
  });

  it('contains each operation once, with a unique name', () => {
    const rows = Object.values(OPERATIONS).flatMap((methods) => Object.values(methods));
    const ids = rows.map((row) => row.split(' ')[0]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(OPERATIONS.calls.accept).toBe('acceptCall POST /api/calls/{callId}/accept');
    expect(OPERATIONS.messages.send).toBe('sendMessage POST /api/messages/conversations/{id}/messages key');
    expect(OPERATIONS.users.changeMany).toBe('changeUsers PUT /api/admin/users/bulk');
    expect(OPERATIONS.identity.logIn).toBe('logIn POST /api/auth/login public');
  });

  it('lists the operations that must not be repeated', () => {
    const once = Object.values(OPERATIONS)
      .flatMap((methods) => Object.values(methods))
      .map((row) => row.split(' '))
      .filter(([id = '', method = '', , ...flags]) => !mayRepeat(id, method, flags.includes('key')));
    expect(once.map(([id = '']) => id).toSorted()).toEqual([
      'changeConversationOwner',
      'changeOwnPassword',
      'deleteConversation',
      'deleteDevices',
      'inspectConversation',
      'issueTokens',
      'logIn',
      'moveGroupDevices',
      'redeliverWebhook',
      'removeMember',
      'replayWebhook',
      'rotateWebhookSecret',
      'testPushTarget',
      'testUserPushTarget',
      'testWebhook',
    ]);
  });
});
