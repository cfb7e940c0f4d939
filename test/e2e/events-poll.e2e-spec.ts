import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { writeEventsOfTypes } from '../support/test-events';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Events', () => {
  let test: TestApp;
  let userId: number;
  let user: ApiClient;

  beforeAll(async () => {
    test = await createTestApp({ env: { EVENT_RETENTION_HOURS: '2' } });
  });
  afterAll(() => test?.close());
  beforeEach(async () => {
    [userId = 0] = newUserIds(1);
    user = await test.api.as({ id: userId });
  });

  const append = (types: string[], to = userId, payload: object = {}): Promise<void> =>
    writeEventsOfTypes(test, to, types, payload);
  const poll = async (query = '') => (await user.get(`/api/events/poll${query}`)).body;
  const idsOf = async (query = '') => (await poll(query)).data.items.map(({ id }: { id: number }) => id);

  describe('the poll', () => {
    it('returns events after a cursor', async () => {
      await append(['a', 'b', 'c', 'd', 'e']);
      expect(await idsOf('?after=0')).toEqual([1, 2, 3, 4, 5]);
      expect(await idsOf('?after=3')).toEqual([4, 5]);
      expect((await poll('?after=1&limit=2')).data).toMatchObject({
        items: [{ id: 2 }, { id: 3 }],
        next_after: 3,
      });
      expect((await poll('?after=5')).data).toEqual({ items: [], next_after: 5 });
    });

    it('returns no events to a user without any', async () => {
      expect((await poll()).data).toEqual({ items: [], next_after: 0 });
      expect((await poll('?after=0')).data).toEqual({ items: [], next_after: 0 });
    });

    it('returns 100 events by default and 500 at most', async () => {
      await append(Array.from({ length: 501 }, () => 'many'));
      expect(await idsOf()).toHaveLength(100);
      expect(await idsOf('?limit=500')).toHaveLength(500);
    });

    it.each([
      ['?after=x', 'after 必须是整数'],
      ['?after=-1', 'after 必须是整数'],
      ['?after=1.5', 'after 必须是整数'],
      ['?after=9007199254740993', 'after 不能大于 9007199254740991'],
      ['?limit=0', 'limit 不能小于 1'],
      ['?limit=501', 'limit 不能大于 500'],
      ['?limit=many', 'limit 必须是整数'],
    ])('rejects %s', async (query, message) => {
      expect(await poll(query)).toEqual({ code: 422, message, data: null });
    });

    it('returns one resync with the newest cursor for an unknown one', async () => {
      await append(['a', 'b']);
      expect((await poll('?after=3')).data).toEqual({
        items: [{ id: 2, type: 'resync', created_at: '2026-01-31T08:00:00.000Z' }],
        next_after: 2,
      });
    });
  });
});
