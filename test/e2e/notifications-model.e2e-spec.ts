import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  record,
  subarray,
} from 'fast-check';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { NotificationsService } from '../../src/notifications/services/notifications.service';
import type { ApiClient } from '../support/api-client';
import { onMysql } from '../support/database';
import { type Listed, repairCounters } from '../support/notifications';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const TYPES = ['a', 'b', '__proto__'];
/** Positions at which each person's first notifications stand: across the borders of blocks of every level. */
const STARTS = [0, 20, 120, 1_000, 4_080, 32_740, 131_060];

const maybe = <T>(values: T[]) => option(constantFrom(...values), { nil: undefined });
const filter = { type: maybe(TYPES), is_read: maybe([0, 1]) };
const key = maybe(['k1', 'k2', 'k3']);
const anybody = nat(STARTS.length - 1);
const one = { user: anybody, index: nat(200) };

const action = oneof(
  {
    weight: 4,
    arbitrary: record({
      do: constant('notify' as const),
      users: subarray([...STARTS.keys()], { minLength: 1 }),
      count: integer({ min: 1, max: 20 }),
      type: constantFrom(...TYPES),
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: record({ do: constant('broadcast' as const), type: constantFrom(...TYPES), key }),
  },
  { weight: 4, arbitrary: record({ do: constant('read' as const), ...one }) },
  { weight: 2, arbitrary: record({ do: constant('unread' as const), ...one }) },
  { weight: 4, arbitrary: record({ do: constant('delete' as const), ...one }) },
  { weight: 2, arbitrary: record({ do: constant('read all' as const), user: anybody, type: maybe(TYPES) }) },
  {
    weight: 3,
    arbitrary: record({
      do: constant('list' as const),
      user: anybody,
      filter: record(filter),
      page: integer({ min: 1, max: 6 }),
      per_page: integer({ min: 1, max: 40 }),
    }),
  },
);

interface Item {
  title: string;
  type: string;
  is_read: number;
}

/** One user, and the plain list that its inbox must equal: oldest first. */
interface Person {
  id: number;
  api: ApiClient;
  items: Item[];
  keys: Set<string>;
}

/** What the plain list makes of a message: whether it is new to the person. */
const receive = (person: Person, item: Item, key: string | undefined): boolean => {
  if (key !== undefined && person.keys.has(key)) return false;
  if (key !== undefined) person.keys.add(key);
  person.items.push({ ...item });
  return true;
};

const matching = ({ items }: Person, { type, is_read }: { type?: string; is_read?: number }) =>
  items
    .filter((item) => type === undefined || item.type === type)
    .filter((item) => is_read === undefined || item.is_read === is_read)
    .toReversed();

const fetchPage = async (
  { api }: Person,
  query: Record<string, string | number | undefined>,
): Promise<{ list: Listed[]; total: number; last_page: number }> => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return (await api.get(`/api/notifications?${parameters.toString()}`)).body.data;
};

const expectPage = async (
  person: Person,
  wanted: { type?: string; is_read?: number },
  page: number,
  per_page: number,
) => {
  const all = matching(person, wanted);
  const answer = await fetchPage(person, { ...wanted, page, per_page });
  const list = answer.list.map(({ title, type, is_read }) => ({ title, type, is_read }));
  expect({ ...answer, list }).toEqual({
    list: all.slice((page - 1) * per_page, page * per_page),
    total: all.length,
    per_page,
    current_page: page,
    last_page: Math.max(1, Math.ceil(all.length / per_page)),
  });
  return answer.list;
};

const expectEverything = async (person: Person) => {
  for (const type of [undefined, ...TYPES]) {
    for (const is_read of [undefined, 0, 1]) {
      const pages = Math.ceil(matching(person, { type, is_read }).length / 13) + 1;
      for (let page = 1; page <= pages; page += 1) await expectPage(person, { type, is_read }, page, 13);
    }
  }
  const unread = TYPES.map((type) => [type, matching(person, { type, is_read: 0 }).length] as const);
  const { body } = await person.api.get('/api/notifications/unread-count');
  expect(body.data.count).toBe(matching(person, { is_read: 0 }).length);
  expect(new Map(Object.entries(body.data.by_type))).toEqual(
    new Map(unread.filter(([, count]) => count > 0)),
  );
};

describe('The inbox, against a plain list', () => {
  let test: TestApp;
  let admin: ApiClient;
  let population = 0;
  let run = 0;
  let serial = 0;

  beforeAll(async () => {
    test = await createTestApp();
    admin = await testUser(test.api, { id: 1, role: 'admin' });
    population = 1;
  });
  afterAll(() => test?.close());

  const arrive = async (id: number, start: number): Promise<Person> => {
    const api = await test.api.as({ id });
    await api.get('/api/notifications/unread-count');
    population += 1;
    await test.app
      .get(DataSource)
      .query('UPDATE notification_inboxes SET last_seq = ? WHERE user_id = ?', [start, id]);
    return { id, api, items: [], keys: new Set() };
  };

  it('equals it after any history, on every page under every filter', async () => {
    const notifications = test.app.get(NotificationsService);
    const transactions = test.app.get(Transactions);

    const histories = asyncProperty(array(action, { maxLength: 45, size: 'max' }), async (actions) => {
      run += 1;
      const people = await Promise.all(STARTS.map((start, index) => arrive(run * 10 + index, start)));
      const scoped = (key: string | undefined) => (key === undefined ? undefined : `${run} ${key}`);

      for (const step of actions) {
        serial += 1;
        if (step.do === 'notify') {
          const recipients = people.filter((_, index) => step.users.includes(index));
          const titles = Array.from({ length: step.count }, (_, index) => `${serial}.${index}`);
          const dedupeKey = scoped(step.key);
          const created = await transactions.run(async (em) => {
            const counts: number[] = [];
            for (const title of titles) {
              const ids = recipients.map(({ id }) => id);
              const message = { type: step.type, title, content: 'C', dedupeKey };
              counts.push(await notifications.notify(em, ids, message));
            }
            return counts;
          });
          const expected = titles.map((title) => {
            const item = { title, type: step.type, is_read: 0 };
            return recipients.filter((person) => receive(person, item, dedupeKey)).length;
          });
          expect(created).toEqual(expected);
        } else if (step.do === 'broadcast') {
          const item = { title: `${serial}`, type: step.type, is_read: 0 };
          const { body } = await admin.post('/api/admin/notifications', {
            broadcast: true,
            type: step.type,
            title: item.title,
            content: 'C',
            dedupe_key: scoped(step.key),
          });
          expect(body.data).toEqual({ created: population });
          for (const person of people) receive(person, item, scoped(step.key));
        } else if (step.do === 'list') {
          const person = people[step.user] as Person;
          await expectPage(person, step.filter, step.page, step.per_page);
        } else if (step.do === 'read all') {
          const person = people[step.user] as Person;
          const unread = matching(person, { type: step.type, is_read: 0 });
          const { body } = await person.api.put('/api/notifications/all/read', { type: step.type });
          expect(body.data).toEqual({ affected: unread.length });
          for (const item of unread) item.is_read = 1;
        } else {
          const person = people[step.user] as Person;
          if (person.items.length === 0) continue;
          const place = step.index % person.items.length;
          const [shown] = await expectPage(person, {}, place + 1, 1);
          const url = `/api/notifications/${shown?.id}`;
          const item = person.items.at(-1 - place) as Item;
          if (step.do === 'delete') {
            expect((await person.api.delete(url)).body.code).toBe(0);
            person.items.splice(-1 - place, 1);
          } else {
            expect((await person.api.put(`${url}/${step.do}`)).body.code).toBe(0);
            item.is_read = step.do === 'read' ? 1 : 0;
          }
        }
      }
      for (const person of people) await expectEverything(person);
      expect(await repairCounters(test)).toEqual([]);
    });
    await assert(histories, { numRuns: onMysql() ? 15 : 25 });
  });
});
