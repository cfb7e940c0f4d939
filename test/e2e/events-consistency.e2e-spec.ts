import * as fc from 'fast-check';
import type { ApiClient } from '../support/api-client';
import { createUsers, newUserIds } from '../support/calls';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

/*
 * Consistency of snapshots and events (API 13.4), for calls and notifications: a snapshot together with the events
 * after its cursor equals a new snapshot, regardless of the actions in between and during the snapshot.
 */

const PEOPLE = 3;

const KINDS =
  'call call accept accept reject cancel hangup end join notify notify broadcast read unread delete readAll wait'.split(
    ' ',
  );

/** One action of a user, who may affect another one. */
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
  server_time?: string;
}

interface Note {
  id: number;
  type: string;
  is_read: number;
}

/** State of one user's terminal: its snapshot and the events since. */
class Terminal {
  readonly #calls = new Map<number, CallView>();
  readonly #notes = new Map<number, Note>();
  #unread: unknown;
  #callCursor = 0;
  #noteCursor = 0;

  constructor(private readonly user: ApiClient) {}

  async takeSnapshot(): Promise<void> {
    const active = await this.user.get('/api/calls/active');
    this.#callCursor = Number(active.headers['x-event-cursor']);
    this.#calls.clear();
    for (const call of (await this.user.get('/api/calls?per_page=100')).body.data.items) this.learn(call);
    if (active.body.data) this.learn(active.body.data);
    const unread = await this.user.get('/api/notifications/unread-count');
    this.#noteCursor = Number(unread.headers['x-event-cursor']);
    this.#unread = unread.body.data;
    const { list } = (await this.user.get('/api/notifications?per_page=100')).body.data;
    this.#notes.clear();
    for (const note of list) this.#notes.set(note.id, note);
  }

  /** The highest version of a call counts, because responses and events arrive in any order. */
  learn(call: CallView): void {
    const { server_time: _, ...record } = call;
    const known = this.#calls.get(call.call_id);
    if (!known || known.version < call.version) this.#calls.set(call.call_id, record);
  }

  async catchUp(): Promise<void> {
    for (;;) {
      const after = Math.min(this.#callCursor, this.#noteCursor);
      const { items, next_after } = (await this.user.get(`/api/events/poll?after=${after}&limit=7`)).body
        .data;
      for (const event of items) {
        expect(event.type).not.toBe('resync');
        if (event.call && event.id > this.#callCursor) this.learn(event.call);
        if (event.type.startsWith('notification.') && event.id > this.#noteCursor) this.#note(event);
      }
      this.#callCursor = Math.max(this.#callCursor, next_after);
      this.#noteCursor = Math.max(this.#noteCursor, next_after);
      if (items.length === 0) return;
    }
  }

  /** All calls, including the unfinished one, the notifications and their counts, as this terminal shows them. */
  get view(): object {
    const calls = [...this.#calls.values()].toSorted((a, b) => b.call_id - a.call_id);
    return {
      active: calls.filter(({ status }) => ['ringing', 'accepted', 'ongoing'].includes(status)),
      calls,
      notifications: [...this.#notes.values()].toSorted((a, b) => b.id - a.id),
      unread: this.#unread,
    };
  }

  #note({ type, notification, notification_id, notification_type, unread_count, by_type }: NoteEvent): void {
    this.#unread = { count: unread_count, by_type };
    if (notification) this.#notes.set(notification.id, notification);
    if (type === 'notification.deleted') this.#notes.delete(notification_id);
    for (const note of this.#notes.values()) {
      const isMeant =
        type === 'notification.all_read'
          ? notification_type === null || notification_type === note.type
          : type === 'notification.read' && notification_id === note.id;
      if (isMeant) this.#notes.set(note.id, { ...note, is_read: 1 });
    }
  }
}

interface NoteEvent {
  type: string;
  notification?: Note;
  notification_id: number;
  notification_type: string | null;
  unread_count: number;
  by_type: object;
}

describe('A snapshot and the events after its cursor', () => {
  let test: TestApp;
  let admin: ApiClient;
  beforeAll(async () => {
    test = await createTestApp({ env: { CALL_RING_TIMEOUT_SECONDS: '60' } });
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());

  it('equals a fresh snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 14 }),
        fc.nat({ max: 6 }),
        follow,
      ),
      { ...propertyRuns(25), endOnFailure: true },
    );
  });

  /** Runs the batches, the steps of each concurrently. From batch `start` on, a terminal of each user follows them. */
  async function follow(batches: Step[][], start: number): Promise<void> {
    const ids = newUserIds(PEOPLE);
    const people = await createUsers(test.api, ...ids);
    const terminals = people.map((user) => new Terminal(user));
    for (const [index, batch] of batches.entries()) {
      const isStart = index === Math.min(start, batches.length - 1);
      // While its snapshot is being read, a terminal cannot order the response to its own call.
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
      const response = await admin.post('/api/admin/notifications', {
        ...to,
        type: `type-${whom}`,
        title: 'T',
        content: 'C',
        data: who === whom ? null : { who },
      });
      expect(response.body.code).toBe(0);
    } else if (kind === 'call') {
      const { body } = await user.post('/api/calls', { callee_id: ids[whom] });
      // The terminal that placed the call receives the call in the response, not in an event.
      if (body.code !== 0) return;
      const record = await user.get(`/api/calls/${body.data.call_id}`);
      terminals[who]?.learn(record.body.data);
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
    if (act === 'end') {
      const response = await admin.post(`/api/admin/calls/${call.call_id}/end`);
      expect(response.body.code).toBe(0);
      return;
    }
    const [path, body] = act === 'join' ? ['media-state', { stage: 'joined' }] : [act, {}];
    await user.post(`/api/calls/${call.call_id}/${path}`, body);
  }

  async function leaveCall(user: ApiClient): Promise<void> {
    await actOnCall(user, 'cancel');
    await actOnCall(user, 'hangup');
  }
});
