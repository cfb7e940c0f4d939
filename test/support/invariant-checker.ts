import type { DataSource } from 'typeorm';
import { expectConsistentMessaging } from './messaging-invariants';
import type { MixedTraffic } from './mixed-traffic';

/** The fields that are compared, of events and of the items of lists. Each has those of its type. */
interface EventItem {
  id: number;
  type: string;
  title: string;
  content: string;
  is_read: number;
  conversation_id?: number;
  unread_count?: number | null;
  call: { call_id: number; status: string; version: number };
  message: { id: number };
  notification: { id: number };
  call_id: number;
  status: string;
  version: number;
  direction: string;
  end_reason: string | null;
}

/**
 * Checks the state after any fault: every acknowledged write is stored once and nothing else is stored, counters equal
 * the rows, no user has two unfinished calls, and the events match the state. Reads through the HTTP API, and from the
 * database where the API does not show it.
 */
export class InvariantChecker {
  constructor(
    private readonly traffic: MixedTraffic,
    private readonly dataSource: DataSource,
  ) {}

  async check(): Promise<void> {
    await this.checkMessages();
    await this.checkCalls();
    await this.checkActiveParticipants();
    await this.checkDevices();
    for (const person of this.traffic.people) {
      await this.checkNotifications(person);
      await this.checkEvents(person);
    }
    await expectConsistentMessaging(this.dataSource);
    await this.checkActiveParticipants();
  }

  private async checkMessages(): Promise<void> {
    const { messages } = this.traffic.journal;
    for (const { id: conversation, members } of this.traffic.conversations) {
      const stored = await this.#pages(members[0] ?? 0, (page) => {
        return `/api/messages/conversations/${conversation}/messages?mark_read=0&per_page=100&page=${page}`;
      });
      const meant = [...messages].filter(([, message]) => message.conversation === conversation);
      const found = new Map<string, number>(stored.map(({ content, id }) => [content, id]));
      expect(found.size).toBe(stored.length);
      expect([...found.keys()].filter((content) => !messages.has(content))).toEqual([]);
      const wrong = meant.filter(([content, { id }]) => id !== undefined && found.get(content) !== id);
      expect(wrong).toEqual([]);
    }
  }

  private async checkCalls(): Promise<void> {
    for (const [request_id, { caller, callee, id, status }] of this.traffic.journal.calls) {
      if (id === undefined) continue;
      const body = { callee_id: callee, request_id };
      const again = (await this.traffic.ask(caller, 'POST', '/api/calls', body)).data;
      expect({ request_id, id: again.call_id, status: again.status }).toEqual({ request_id, id, status });
    }
  }

  /** Unfinished calls have two seats, and no other seats exist. */
  private async checkActiveParticipants(): Promise<void> {
    const wrong = await this.dataSource.query(
      `SELECT c.id, c.status, COUNT(s.user_id) AS seats FROM calls c LEFT JOIN call_seats s ON s.call_id = c.id
       GROUP BY c.id, c.status
       HAVING COUNT(s.user_id) <> CASE WHEN c.status IN ('ringing', 'accepted', 'ongoing') THEN 2 ELSE 0 END`,
    );
    expect(wrong).toEqual([]);
    expect(
      await this.dataSource.query(
        `SELECT s.user_id FROM call_seats s LEFT JOIN calls c ON c.id = s.call_id
         WHERE c.id IS NULL OR s.user_id NOT IN (c.caller_id, c.callee_id)`,
      ),
    ).toEqual([]);
  }

  private async checkDevices(): Promise<void> {
    const { devices, memberships } = this.traffic.journal;
    const rows: { id: number | string; serial_no: string }[] = await this.dataSource.query(
      'SELECT id, serial_no FROM devices',
    );
    const stored = new Map(rows.map(({ id, serial_no }) => [serial_no, Number(id)]));
    expect(stored.size).toBe(rows.length);
    expect([...stored.keys()].filter((serial) => !devices.has(serial))).toEqual([]);
    for (const [serial, id] of devices) if (id !== undefined) expect(stored.get(serial)).toBe(id);

    for (const [group, added] of Map.groupBy(memberships, (membership) => membership.group)) {
      const path = `/api/admin/device-groups/${group}`;
      const { device_count } = (await this.traffic.ask(1, 'GET', path)).data;
      const listed = await this.#pages(1, (page) => `${path}/devices?per_page=100&page=${page}`);
      const ids = new Set(listed.map(({ id }) => id));
      expect([ids.size, listed.length]).toEqual([device_count, device_count]);
      expect(added.filter(({ device }) => !ids.has(device))).toEqual([]);
    }
  }

  private async checkNotifications(person: number): Promise<void> {
    const { notifications, read } = this.traffic.journal;
    const list = await this.#pages(person, (page) => `/api/notifications?per_page=100&page=${page}`);
    const systems = list.filter(({ type }) => type === 'system');
    const titles = new Set(systems.map(({ title }) => title));
    expect(titles.size).toBe(systems.length);
    expect([...titles].filter((title) => !notifications.get(title)?.recipients.includes(person))).toEqual([]);
    const missing = [...notifications].filter(
      ([title, { recipients, isAcknowledged }]) =>
        isAcknowledged && recipients.includes(person) && !titles.has(title),
    );
    expect(missing).toEqual([]);
    expect(list.filter(({ id, is_read }) => read.has(id) && is_read === 0)).toEqual([]);
    const { count } = (await this.traffic.ask(person, 'GET', '/api/notifications/unread-count')).data;
    expect(count).toBe(list.filter(({ is_read }) => is_read === 0).length);
    const missed = await this.#pages(person, (page) => `/api/calls?missed=1&per_page=100&page=${page}`);
    expect(list.filter(({ type }) => type === 'call_missed')).toHaveLength(missed.length);
  }

  private async checkEvents(person: number): Promise<void> {
    const events = await this.#eventsOf(person);
    // The poll returns consecutive ids.
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    await this.#checkCallEvents(person, events);
    const about = events.filter(({ type }) => type.startsWith('notification.'));
    const created = about.filter(({ type }) => type === 'notification.created');
    const list = await this.#pages(person, (page) => `/api/notifications?per_page=100&page=${page}`);
    expect(created.map(({ notification }) => notification.id).toSorted(ascending)).toEqual(
      list.map(({ id }) => id).toSorted(ascending),
    );
    const { count } = (await this.traffic.ask(person, 'GET', '/api/notifications/unread-count')).data;
    expect(about.at(-1)?.unread_count ?? 0).toBe(count);
    await this.#checkMessageEvents(person, events);
  }

  /** The last event of a call matches its state, and every call has exactly one ringing event for its callee. */
  async #checkCallEvents(person: number, events: EventItem[]): Promise<void> {
    const calls = await this.#pages(person, (page) => `/api/calls?per_page=100&page=${page}`);
    const byCall = Map.groupBy(
      events.filter(({ type }) => type.startsWith('call.')),
      ({ call }) => call.call_id,
    );
    for (const { call_id, status, version, direction, end_reason } of calls) {
      const own = byCall.get(call_id) ?? [];
      const types = own.map(({ type }) => type);
      expect({ call_id, types: new Set(types).size }).toEqual({ call_id, types: types.length });
      const rang = end_reason !== 'busy' && direction === 'incoming';
      expect({ call_id, rang: types.includes('call.ringing') }).toEqual({ call_id, rang });
      if (status === 'ringing') continue;
      const last = own.at(-1)?.call;
      expect({ call_id, status: last?.status, version: last?.version }).toEqual({ call_id, status, version });
    }
    expect([...byCall.keys()].filter((id) => !calls.some(({ call_id }) => call_id === id))).toEqual([]);
  }

  /** Every message has exactly one event, and the last published unread count is the current one. */
  async #checkMessageEvents(person: number, events: EventItem[]): Promise<void> {
    for (const { id: conversation, members } of this.traffic.conversations) {
      if (!members.includes(person)) continue;
      const own = events.filter(({ conversation_id }) => conversation_id === conversation);
      const published = own.filter(({ type }) => type === 'message.created').map(({ message }) => message.id);
      const root = `/api/messages/conversations/${conversation}`;
      const stored = await this.#pages(
        person,
        (page) => `${root}/messages?mark_read=0&per_page=100&page=${page}`,
      );
      expect(published.toSorted(ascending)).toEqual(stored.map(({ id }) => id).toSorted(ascending));
      const counts = own.filter(({ unread_count }) => typeof unread_count === 'number');
      const { unread_count } = (await this.traffic.ask(person, 'GET', root)).data;
      expect({ conversation, unread: counts.at(-1)?.unread_count ?? 0 }).toEqual({
        conversation,
        unread: unread_count,
      });
    }
  }

  async #eventsOf(person: number): Promise<EventItem[]> {
    const events: EventItem[] = [];
    for (let after = 0; ;) {
      const path = `/api/events/poll?after=${after}&limit=500`;
      const { items, next_after } = (await this.traffic.ask(person, 'GET', path)).data;
      if (items.length === 0) return events;
      events.push(...items);
      after = next_after;
    }
  }

  /** Returns every item of a list, page by page, for every response shape. */
  async #pages(person: number, path: (page: number) => string): Promise<EventItem[]> {
    const all: EventItem[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await this.traffic.ask(person, 'GET', path(page));
      const items = (data.items ?? data.list) as EventItem[];
      all.push(...items);
      if (all.length >= (data.pagination?.total ?? data.total) || items.length === 0) return all;
    }
  }
}

const ascending = (a: number, b: number): number => a - b;
