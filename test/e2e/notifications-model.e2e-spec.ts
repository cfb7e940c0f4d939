import { array, assert, asyncProperty } from 'fast-check';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions';
import { plusSeconds } from '../../src/common/clock';
import { SnoozeEnds } from '../../src/notifications/services/snooze-ends.job';
import { NotificationsService } from '../../src/notifications/services/notifications.service';
import type { ApiClient } from '../support/api-client';
import { inboxAction, STARTS, TYPES } from '../support/inbox-actions';
import { onMysql } from '../support/database';
import { type Listed, repairCounters, untilRecalled } from '../support/notifications';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

const SNOOZE_SECONDS = 60;

interface Item {
  title: string;
  type: string;
  is_read: number;
  archived: number;
  isSnoozed?: boolean;
}

/** A notification for all users, or for those with a role, which each inbox materialises at its next read. */
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

/** Adds a notification to the plain list. Returns whether it is new to the user. */
const receive = (person: Person, item: Item, key: string | undefined): boolean => {
  if (key !== undefined && person.keys.has(key)) return false;
  if (key !== undefined) person.keys.add(key);
  person.items.push({ ...item });
  return true;
};

/** The filters of a list. */
interface Wanted {
  type?: string;
  is_read?: number;
  archived?: number;
}

const matching = ({ items }: Person, { type, is_read, archived = 0 }: Wanted) =>
  items
    .filter((item) => type === undefined || item.type === type)
    .filter((item) => is_read === undefined || item.is_read === is_read)
    .filter((item) => item.archived === archived)
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

const shown = ({ title, type, is_read, archived, snooze_until }: Listed) => ({
  title,
  type,
  is_read,
  archived,
  isSnoozed: snooze_until !== null,
});

const expectPage = async (person: Person, wanted: Wanted, page: number, per_page: number) => {
  const all = matching(person, wanted);
  const response = await fetchPage(person, { ...wanted, page, per_page });
  const list = response.list.map(shown);
  expect({ ...response, list }).toEqual({
    list: all.slice((page - 1) * per_page, page * per_page).map(({ isSnoozed = false, ...item }) => ({
      ...item,
      isSnoozed,
    })),
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
      for (const archived of [0, 1]) {
        const wanted = { type, is_read, archived };
        const pages = Math.ceil(matching(person, wanted).length / 13) + 1;
        for (let page = 1; page <= pages; page += 1) await expectPage(person, wanted, page, 13);
      }
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

    const histories = asyncProperty(array(inboxAction, { maxLength: 45, size: 'max' }), async (actions) => {
      run += 1;
      const people = await Promise.all(STARTS.map((start, index) => arrive(run * 10 + index, start)));
      const scoped = (key: string | undefined) => (key === undefined ? undefined : `${run} ${key}`);
      const announcements: Announcement[] = [];
      const announce = async (step: { type: string; key?: string; role?: string }, to: object) => {
        const item = { title: `${serial}`, type: step.type, is_read: 0, archived: 0 };
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
            const item = { title, type: step.type, is_read: 0, archived: 0 };
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
          const unread = [0, 1].flatMap((archived) =>
            matching(person, { type: step.type, is_read: 0, archived }),
          );
          const { body } = await person.api.put('/api/notifications/all/read', { type: step.type });
          expect(body.data).toEqual({ affected: unread.length });
          for (const item of unread) item.is_read = 1;
        } else if (step.do === 'end snoozes') {
          test.clock.advance(2 * SNOOZE_SECONDS);
          await test.app.get(SnoozeEnds).sweep();
          for (const { items } of people)
            for (const item of items)
              if (item.isSnoozed === true) Object.assign(item, { archived: 0, is_read: 0, isSnoozed: false });
        } else {
          const person = catchUp(people[step.user] as Person);
          if (person.items.length === 0) {
            // A read materialises announcements for the current role.
            await expectPage(person, {}, 1, 1);
            continue;
          }
          const item = person.items[step.index % person.items.length] as Item;
          const { archived } = item;
          const place = matching(person, { archived }).indexOf(item);
          const [found] = await expectPage(person, { archived }, place + 1, 1);
          const url = `/api/notifications/${found?.id}`;
          if (step.do === 'delete') {
            expect((await person.api.delete(url)).body.code).toBe(0);
            person.items.splice(person.items.indexOf(item), 1);
          } else if (step.do === 'archive' || step.do === 'restore') {
            const call = step.do === 'archive' ? person.api.put : person.api.delete;
            Object.assign(item, { archived: step.do === 'archive' ? 1 : 0, isSnoozed: false });
            expect(shown((await call.call(person.api, `${url}/archive`)).body.data)).toEqual(item);
          } else if (step.do === 'snooze') {
            const snooze_until = plusSeconds(test.clock.now(), SNOOZE_SECONDS).toISOString();
            Object.assign(item, { archived: 1, isSnoozed: true });
            const { data } = (await person.api.put(`${url}/snooze`, { snooze_until })).body;
            expect(data).toMatchObject({ snooze_until, title: item.title, is_read: item.is_read });
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
