import * as fc from 'fast-check';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { dataOf } from '../support/messaging';
import { block, unblock } from '../support/people';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

/*
 * Consistency of snapshots and events (API 13.4), for the user's own profile and blocks, on two instances: the state at a
 * cursor, or a later one, together with the events after the cursor equals the state fetched afresh.
 */

/** An action of the user on one of the instances, or of an administrator. */
interface Step {
  act: 'rename' | 'picture' | 'hide' | 'vanish' | 'block' | 'unblock' | 'administer' | 'account';
  where: 0 | 1;
  value: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom<Step['act'][]>(
    'rename',
    'picture',
    'hide',
    'vanish',
    'block',
    'unblock',
    'administer',
    'account',
  ),
  where: fc.constantFrom(0 as const, 1 as const),
  value: fc.nat({ max: 2 }),
});

interface PeopleEvent {
  id: number;
  type: string;
  user: object;
  user_id: number;
  blocked: boolean;
}

/** The state that a client shows. */
interface View {
  profile: object;
  blocked: number[];
}

const ascending = (a: number, b: number): number => a - b;

describe('A snapshot of the user’s own profile and blocks', () => {
  let instances: [TestApp, TestApp];
  beforeAll(async () => {
    const one = await createTestApp();
    instances = [one, await createTestApp({ database: one.database, clock: one.clock })];
  });
  afterAll(async () => {
    await instances?.[1].close();
    await instances?.[0].close();
  });

  async function fetchView(user: ApiClient): Promise<View> {
    const { terminal_id: _terminal, ...profile } = dataOf(await user.get('/api/auth/me'));
    const { items } = dataOf(await user.get('/api/users/blocks?per_page=100'));
    return { profile, blocked: items.map(({ id }: { id: number }) => id).toSorted(ascending) };
  }

  async function perform(
    { act, where, value }: Step,
    own: [ApiClient, ApiClient],
    { id, others, admin }: { id: number; others: number[]; admin: ApiClient },
  ): Promise<void> {
    const user = own[where];
    const avatar = value === 0 ? null : `https://pictures.example/${value}.png`;
    const other = others[value] ?? 0;
    const acts: Record<Step['act'], () => Promise<{ body: { code: number } }>> = {
      rename: () => user.put('/api/auth/me', { name: `Name ${value}`, avatar }),
      picture: () => user.put('/api/auth/me', { avatar }),
      hide: () => user.put('/api/auth/me', { presence_visible: value === 0 }),
      vanish: () => user.put('/api/auth/me', { discoverable: value === 0 }),
      block: () => block(user, other),
      unblock: () => unblock(user, other),
      administer: () => admin.put(`/api/admin/users/${id}`, { name: `Name ${value}`, avatar }),
      account: () => admin.put(`/api/admin/users/${id}`, { account: `account ${id} ${value}` }),
    };
    expect((await acts[act]()).body.code).toBe(0);
  }

  async function follow(batches: Step[][], start: number): Promise<void> {
    const [id = 0, ...others] = newUserIds(4);
    const own: [ApiClient, ApiClient] = [
      await testUser(instances[0].api, { id }),
      await testUser(instances[1].api, { id }),
    ];
    for (const other of others) await testUser(instances[0].api, { id: other });
    const admin = await instances[1].api.as({ id: 900_001, role: 'admin' });
    let cursor = 0;
    let view: View | undefined;
    for (const [index, batch] of batches.entries()) {
      const snapshot = async (): Promise<void> => {
        cursor = Number((await own[0].get('/api/calls/active')).headers['x-event-cursor']);
        view = await fetchView(own[0]);
      };
      await Promise.all([
        ...(index === Math.min(start, batches.length - 1) ? [snapshot()] : []),
        ...batch.map((one) => perform(one, own, { id, others, admin })),
      ]);
    }
    const { items } = dataOf(await own[1].get(`/api/events/poll?after=${cursor}&limit=500`));
    for (const { type, user, user_id, blocked } of items as PeopleEvent[]) {
      if (view === undefined) break;
      if (type === 'user.updated') view.profile = user;
      if (type === 'user.block_changed') {
        const rest = view.blocked.filter((one) => one !== user_id);
        view.blocked = (blocked ? [...rest, user_id] : rest).toSorted(ascending);
      }
    }
    expect(view).toEqual(await fetchView(own[1]));
  }

  it('with the events since equals a fresh one', async () => {
    const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 });
    await fc.assert(fc.asyncProperty(batches, fc.nat({ max: 5 }), follow), {
      ...propertyRuns(25),
      endOnFailure: true,
    });
  });
});
