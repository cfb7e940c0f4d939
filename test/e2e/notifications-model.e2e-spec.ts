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
import { type Listed, repairCounters, untilRecalled } from '../support/notifications';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const TYPES = ['a', 'b', '__proto__'];
/** The last position of each person's inbox before the first notification: some are at the end of a block of the map. */
const STARTS = [0, 20, 1_000, 1_023, 4_080, 131_060];

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
    arbitrary: record({
      do: constant('broadcast' as const),
      type: constantFrom(...TYPES),
      key,
      role: maybe(['user', 'admin']),
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      do: constant('announce' as const),
      users: subarray([...STARTS.keys()], { minLength: 2 }),
      type: constantFrom(...TYPES),
      key,
    }),
  },
  { weight: 2, arbitrary: record({ do: constant('recall' as const), index: nat(3) }) },
  { weight: 1, arbitrary: record({ do: constant('change role' as const), user: anybody }) },
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

/** What everybody, or everybody of a role, gets when the inbox is next looked at. */
interface Announcement {
  id: number;
  item: Item;
  key: string | undefined;
  role?: string;
  isRecalled: boolean;
}

/** One user, and the plain list that its inbox must equal: oldest first. */
interface Person {
  id: number;
  api: ApiClient;
  role: string;
  items: Item[];
  keys: Set<string>;
  pending: Announcement[];
}

/** Pending broadcasts are materialised before each read and write. */
const catchUp = (person: Person): Person => {
  for (const { item, key, role, isRecalled } of person.pending.splice(0))
    if (!isRecalled && (role === undefined || role === person.role)) receive(person, item, key);
  return person;
};

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
  const response = await fetchPage(person, { ...wanted, page, per_page });
  const list = response.list.map(({ title, type, is_read }) => ({ title, type, is_read }));
  expect({ ...response, list }).toEqual({
    list: all.slice((page - 1) * per_page, page * per_page),
    total: all.length,
    per_page,
    current_page: page,
    last_page: Math.max(1, Math.ceil(all.length / per_page)),
  });
  return response.list;
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

describe('The inbox after random operations', () => {
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
    return { id, api, role: 'user', items: [], keys: new Set(), pending: [] };
  };

  it('equals a plain list, on every page under every filter', async () => {
    const notifications = test.app.get(NotificationsService);
    const transactions = test.app.get(Transactions);

    const histories = asyncProperty(array(action, { maxLength: 45, size: 'max' }), async (actions) => {
      run += 1;
      const people = await Promise.all(STARTS.map((start, index) => arrive(run * 10 + index, start)));
      const scoped = (key: string | undefined) => (key === undefined ? undefined : `${run} ${key}`);
      const announcements: Announcement[] = [];
      const announce = async (step: { type: string; key?: string; role?: string }, to: object) => {
        const item = { title: `${serial}`, type: step.type, is_read: 0 };
        const text = { type: item.type, title: item.title, content: 'C', dedupe_key: scoped(step.key) };
        const { data } = (await admin.post('/api/admin/notifications', { ...text, ...to })).body;
        const id = data.announcement_id as number;
        const announcement = { id, item, key: scoped(step.key), role: step.role, isRecalled: false };
        announcements.push(announcement);
        return { announcement, created: data.created as number };
      };

      for (const step of actions) {
        serial += 1;
        if (step.do === 'notify') {
          const recipients = people.filter((_, index) => step.users.includes(index)).map(catchUp);
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
          const to = step.role === undefined ? { broadcast: true } : { role: step.role };
          const { announcement, created } = await announce(step, to);
          if (step.role === undefined) expect(created).toBe(population);
          for (const person of people) person.pending.push(announcement);
        } else if (step.do === 'announce') {
          const recipients = people.filter((_, index) => step.users.includes(index)).map(catchUp);
          const { announcement, created } = await announce(step, {
            user_ids: recipients.map(({ id }) => id),
          });
          const reached = recipients.filter((one) => receive(one, announcement.item, announcement.key));
          expect(created).toBe(reached.length);
        } else if (step.do === 'recall') {
          const announcement = announcements.at(-1 - step.index);
          if (announcement === undefined) continue;
          const { body } = await admin.post(`/api/admin/announcements/${announcement.id}/recall`);
          expect(body.data.status).toBe('recalled');
          await untilRecalled(test);
          announcement.isRecalled = true;
          for (const person of people)
            person.items = person.items.filter(({ title }) => title !== announcement.item.title);
        } else if (step.do === 'change role') {
          const person = people[step.user] as Person;
          person.role = person.role === 'user' ? 'admin' : 'user';
          await test.query(`UPDATE users SET role = '${person.role}' WHERE id = ${person.id}`);
        } else if (step.do === 'list') {
          const person = catchUp(people[step.user] as Person);
          await expectPage(person, step.filter, step.page, step.per_page);
        } else if (step.do === 'read all') {
          const person = catchUp(people[step.user] as Person);
          const unread = matching(person, { type: step.type, is_read: 0 });
          const { body } = await person.api.put('/api/notifications/all/read', { type: step.type });
          expect(body.data).toEqual({ affected: unread.length });
          for (const item of unread) item.is_read = 1;
        } else {
          const person = catchUp(people[step.user] as Person);
          if (person.items.length === 0) {
            // A read materialises announcements for the current role.
            await expectPage(person, {}, 1, 1);
            continue;
          }
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
      for (const person of people) await expectEverything(catchUp(person));
      expect(await repairCounters(test)).toEqual([]);
    });
    await assert(histories, propertyRuns(onMysql() ? 15 : 25));
  });
});
