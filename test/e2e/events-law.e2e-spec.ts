import * as fc from 'fast-check';
import type { ApiClient } from '../support/api-client';
import { meet, newUserIds } from '../support/calls';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * The law that clients live by (contract 7): a snapshot, and the events after its cursor, are the same as a fresh
 * snapshot; whatever happens in between, and whatever happens while the snapshot is taken.
 */

const PEOPLE = 3;

const KINDS =
  'call call accept accept reject cancel hangup join notify notify broadcast read unread delete readAll wait'.split(
    ' ',
  );

/** One person does something, perhaps to another. */
interface Step {
  kind: string;
  who: number;
  whom: number;
}

const person = fc.nat({ max: PEOPLE - 1 });
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...KINDS), who: person, whom: person });

interface CallView {
  call_id: number;
  status: string;
  version: number;
}

/** What a terminal of one user knows: its snapshot, and what it learned since. */
class Terminal {
  readonly #calls = new Map<number, CallView>();
  #unread: unknown;
  #callCursor = 0;
  #unreadCursor = 0;

  constructor(private readonly user: ApiClient) {}

  async takeSnapshot(): Promise<void> {
    const active = await this.user.get('/api/calls/active');
    this.#callCursor = Number(active.headers['x-event-cursor']);
    this.#calls.clear();
    if (active.body.data) this.learn(active.body.data);
    const unread = await this.user.get('/api/notifications/unread-count');
    this.#unreadCursor = Number(unread.headers['x-event-cursor']);
    this.#unread = unread.body.data;
  }

  /** The highest version of a call counts: answers and events may come in any order. */
  learn({ call_id, status, version }: CallView): void {
    const known = this.#calls.get(call_id);
    if (!known || known.version < version) this.#calls.set(call_id, { call_id, status, version });
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const after = Math.min(this.#callCursor, this.#unreadCursor);
      const { items, next_after } = (await this.user.get(`/api/events/poll?after=${after}&limit=7`)).body
        .data;
      for (const { id, type, call, unread_count, by_type } of items) {
        expect(type).not.toBe('resync');
        if (call && id > this.#callCursor) this.learn(call);
        if (type.startsWith('notification.') && id > this.#unreadCursor) {
          this.#unread = { count: unread_count, by_type };
        }
      }
      this.#callCursor = Math.max(this.#callCursor, next_after);
      this.#unreadCursor = Math.max(this.#unreadCursor, next_after);
      if (items.length === 0) return;
    }
  }

  /** The unfinished call and the unread count, as far as this terminal knows. */
  get view(): object {
    const unfinished = [...this.#calls.values()].filter(({ status }) =>
      ['ringing', 'accepted', 'ongoing'].includes(status),
    );
    return {
      active: unfinished.map(({ call_id, status }) => ({ call_id, status })),
      unread: this.#unread,
    };
  }
}

describe('A snapshot and the events after its cursor', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { CALL_RING_TIMEOUT_SECONDS: '60' } });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  it('equal a fresh snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 14 }),
        fc.nat({ max: 6 }),
        follow,
      ),
      { numRuns: 25 },
    );
  });

  /** Plays the batches, the steps of each at the same time; one terminal of each user looks on from `start` on. */
  async function follow(batches: Step[][], start: number): Promise<void> {
    const ids = newUserIds(PEOPLE);
    const people = await meet(test.api, ...ids);
    const terminals = people.map((user) => new Terminal(user));
    for (const [index, batch] of batches.entries()) {
      const isStart = index === Math.min(start, batches.length - 1);
      // While its own snapshot is under way, a terminal cannot tell where the answer to its own call belongs.
      const steps = isStart ? batch.filter(({ kind }) => kind !== 'call') : batch;
      await Promise.all([
        ...(isStart ? terminals.map((terminal) => terminal.takeSnapshot()) : []),
        ...steps.map((one) => play(one, ids, people, terminals)),
      ]);
    }
    for (const [index, user] of people.entries()) {
      const terminal = terminals[index];
      const fresh = new Terminal(user);
      await fresh.takeSnapshot();
      await terminal?.catchUp();
      expect(terminal?.view).toEqual(fresh.view);
      const { items } = (await user.get('/api/events/poll?after=0&limit=500')).body.data;
      expect(items.map(({ id }: { id: number }) => id)).toEqual(
        items.map((_: unknown, place: number) => place + 1),
      );
    }
    for (const user of people) await leaveCall(user);
  }

  async function play(
    { kind, who, whom }: Step,
    ids: number[],
    people: ApiClient[],
    terminals: Terminal[],
  ): Promise<void> {
    const user = people[who] ?? admin;
    if (kind === 'wait') test.clock.advance(20);
    else if (kind === 'notify' || kind === 'broadcast') {
      const to = kind === 'notify' ? { user_ids: [ids[whom]] } : { broadcast: true };
      const answer = await admin.post('/api/admin/notifications', {
        ...to,
        type: `type-${whom}`,
        title: 'T',
        content: 'C',
      });
      expect(answer.body.code).toBe(0);
    } else if (kind === 'call') {
      const { body } = await user.post('/api/calls', { callee_id: ids[whom] });
      // The caller's terminal that placed the call knows it from the answer; no event rings there.
      if (body.code === 0) terminals[who]?.learn(body.data);
    } else if (kind === 'readAll') {
      await user.put('/api/notifications/all/read', whom === 0 ? {} : { type: `type-${whom}` });
    } else if (kind === 'read' || kind === 'unread' || kind === 'delete') {
      const { list } = (await user.get('/api/notifications')).body.data;
      const id = list[whom]?.id;
      if (id === undefined) return;
      if (kind === 'delete') await user.delete(`/api/notifications/${id}`);
      else await user.put(`/api/notifications/${id}/${kind}`);
    } else await actOnCall(user, kind);
  }

  async function actOnCall(user: ApiClient, act: string): Promise<void> {
    const { data: call } = (await user.get('/api/calls/active')).body;
    if (!call) return;
    const [path, body] = act === 'join' ? ['media-state', { stage: 'joined' }] : [act, {}];
    await user.post(`/api/calls/${call.call_id}/${path}`, body);
  }

  async function leaveCall(user: ApiClient): Promise<void> {
    await actOnCall(user, 'cancel');
    await actOnCall(user, 'hangup');
  }
});
