import type { ApiResponse, ApiClient } from '../support/api-client';
import { drawnValues, MEBIBYTE, ODD_VALUES } from '../support/body-shapes';
import { AGORA_SECRET, postAgora } from '../support/media-webhooks';
import { dataOf } from '../support/messaging';
import { createTestApp, type TestApp } from '../support/test-app';

/**
 * Maximum cost of a body, in parses of `BASELINE`. Bodies cost up to three on an idle core and twice that on a busy one.
 * Shapes whose cost grows faster than their length cost a hundred.
 */
const MAX_PARSES = 10;
const TRIES = 25;
/** Small objects, as in ordinary requests, of nearly 1 MiB. */
const BASELINE = `[${Array.from({ length: 110_000 }, () => '{"a":1}').join(',')}]`;

/** Returns the processor time of the thread of the event loop in milliseconds, which other processes do not affect. */
async function costOf(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The lowest cost of parsing `BASELINE` so far. */
let leastParse = 0;

/**
 * Returns the cost in parses of `BASELINE`, which depend on the speed of the core as well. Repeats until the cost is low
 * enough, because the first requests also compile code.
 */
async function leastCostOf(act: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least > MAX_PARSES; tried += 1) {
    const cost = await costOf(act);
    // The baseline is measured again when the core may have become slower since.
    const parse = cost > MAX_PARSES * leastParse ? await costOf(() => JSON.parse(BASELINE)) : leastParse;
    leastParse = leastParse === 0 ? parse : Math.min(leastParse, parse);
    least = Math.min(least, cost / parse);
  }
  return least;
}

type Send = (body: string) => Promise<ApiResponse>;

describe('Reading a body of up to 1 MiB takes at most ten times as long as parsing ordinary JSON', () => {
  let test: TestApp;
  let targets: Record<string, { send: Send; fields: string[]; rest: string }>;
  beforeAll(async () => {
    test = await createTestApp({ env: { AGORA_WEBHOOK_SECRET: AGORA_SECRET } });
    const user = await test.api.as({ id: 1 });
    const admin = await test.api.as({ id: 2, role: 'admin' });
    await admin.get('/api/auth/me');
    await user.get('/api/auth/me');
    const chat = dataOf(await user.post('/api/messages/conversations', { type: 'single', peer_id: 2 })).id;
    const group = dataOf(await admin.post('/api/admin/device-groups', { name: 'Floor' })).id;
    const to =
      (api: ApiClient, path: string): Send =>
      (body) =>
        api.send('POST', path, body);
    targets = {
      'log-in': { send: to(test.api, '/api/auth/login'), fields: ['account', 'pad'], rest: '"password":"x"' },
      refresh: { send: to(test.api, '/api/auth/refresh'), fields: ['refresh_token'], rest: '"pad":0' },
      'no token': { send: to(test.api, '/api/calls'), fields: ['callee_id'], rest: '"pad":0' },
      send: {
        send: to(user, `/api/messages/conversations/${chat}/messages`),
        fields: ['extra', 'content', 'pad'],
        rest: '"type":"image"',
      },
      'group conversation': {
        send: to(user, '/api/messages/conversations'),
        fields: ['member_ids', 'avatar'],
        rest: '"type":"group","name":"x"',
      },
      'devices of a group': {
        send: to(admin, `/api/admin/device-groups/${group}/devices`),
        fields: ['device_ids'],
        rest: '"pad":0',
      },
      'users of a back end': {
        send: to(admin, '/api/admin/users/bulk'),
        fields: ['users'],
        rest: '"pad":0',
      },
      notification: {
        send: to(admin, '/api/admin/notifications'),
        fields: ['user_ids', 'title'],
        rest: '"type":"t","content":"c"',
      },
      'signed webhook': {
        send: (body) => postAgora(test.api, body),
        fields: ['payload'],
        rest: '"noticeId":"n","productId":1,"eventType":103',
      },
      'forged webhook': {
        send: (body) => postAgora(test.api, body, { 'agora-signature-v2': 'ab' }),
        fields: ['payload'],
        rest: '"productId":1',
      },
    };
  });
  afterAll(() => test?.close());

  /** Bodies that cost too much, or are not rejected as an error of the client. */
  const problems: string[] = [];
  const tryOut = async (value: string, called: string): Promise<void> => {
    for (const [name, { send, fields, rest }] of Object.entries(targets)) {
      for (const body of [...fields.map((field) => `{"${field}":${value},${rest}}`), value]) {
        expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MEBIBYTE);
        let status = 0;
        const parses = await leastCostOf(async () => ({ status } = await send(body)));
        const what = `${name}: ${called} in ${body.slice(0, 30)}…`;
        if (parses > MAX_PARSES) problems.push(`${what}: ${Math.round(parses)} parses`);
        if (status >= 500 || status === 413) problems.push(`${what}: ${status}`);
      }
    }
  };
  beforeEach(() => problems.splice(0));

  it.each(Object.entries(ODD_VALUES))('%s', async (called, value) => {
    await tryOut(value, called);
    expect(problems).toEqual([]);
  });

  it.each([1, 2])('random shapes (seed %i)', async (seed) => {
    for (const value of drawnValues(seed, 8)) await tryOut(value, value.slice(0, 40));
    expect(problems).toEqual([]);
  });
});
