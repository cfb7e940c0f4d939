import { CounterRepairService } from '../../src/notifications/services/counter-repair.service';
import { byBlock, InboxBlock } from '../../src/notifications/rules/inbox-block.rules';
import { InboxEntity } from '../../src/notifications/entities/inbox.entity';
import { NotificationBlockEntity } from '../../src/notifications/entities/notification-block.entity';
import { NotificationTypeEntity } from '../../src/notifications/entities/notification-type.entity';
import { NotificationEntity } from '../../src/notifications/entities/notification.entity';
import type { BenchApp, BenchPart } from './bench-app';
import { measureInTurn, type Row } from './measure';

const TARGET = 1.2;
const TYPES = ['system', 'order', 'call_missed', 'news'];
const LARGE = { id: 1, count: 100_000 };
const SMALL = { id: 2, count: 20 };
const ROWS_PER_STATEMENT = 500;

/** Page 5,000 of each filter, with as many rows per page as the small inbox has on its only page. */
const FILTERS = [
  { filter: '', rows: 20 },
  { filter: '&type=order', rows: 5 },
  { filter: '&is_read=0', rows: 6 },
  { filter: '&is_read=1', rows: 14 },
  { filter: '&type=order&is_read=0', rows: 1 },
  { filter: '&type=order&is_read=1', rows: 4 },
];

type Call = (user: number) => Promise<unknown>;

const PAGE = 5_000;

/** Time of each call for a user with 100,000 notifications, 30,000 of them unread, relative to a user with 20. */
export const notifications: BenchPart = {
  name: 'notifications',
  async run(bench) {
    await load(bench);
    const call = await createCaller(bench);
    const page = (number: number, { filter, rows }: (typeof FILTERS)[number]): Call =>
      call('GET', `?page=${number}&per_page=${rows}${filter}`);
    const reset = await createReset(bench);
    return [
      ...(await compare('unread count', call('GET', '/unread-count'))),
      ...(await compare('first page', call('GET', '?per_page=20'))),
      ...(await measurePages(page)),
      ...(await measureFirstPage(page, anotherVersion(bench))),
      ...(await compare('mark all read', call('PUT', '/all/read'), { reset })),
    ];
  },
};

async function measurePages(
  page: (number: number, filter: (typeof FILTERS)[number]) => Call,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const filter of FILTERS) {
    const options = { ofBig: page(PAGE, filter) };
    rows.push(...(await compare(`page 5,000${filter.filter}`, page(1, filter), options)));
  }
  return rows;
}

/**
 * Without a target: a page of an inbox that changed since the last request, so that its position must be searched for.
 */
async function measureFirstPage(
  page: (number: number, filter: (typeof FILTERS)[number]) => Call,
  reset: () => Promise<void>,
): Promise<Row[]> {
  const [everything] = FILTERS;
  if (everything === undefined) return [];
  const options = { ofBig: page(PAGE, everything), reset };
  const rows = await compare('page 5,000 after a change', page(1, everything), options);
  return rows.map(({ what, value, unit }) => ({ what, value, unit }));
}

/** Times a call for the small inbox alternately with the same call (or `ofBig`) for the large one. */
async function compare(
  what: string,
  ofSmall: Call,
  { ofBig = ofSmall, reset }: { ofBig?: Call; reset?: () => Promise<void> } = {},
): Promise<Row[]> {
  const works = { small: () => ofSmall(SMALL.id), big: () => ofBig(LARGE.id) };
  const { small, big } = await measureInTurn(works, 300, reset);
  const value = big.p50 / small.p50;
  return [
    { what: `${what}: 20 notifications`, value: small.p50, unit: 'ms' },
    { what: `${what}: 100,000`, value, unit: '×', target: `≤ ${TARGET}`, met: value <= TARGET },
  ];
}

/** `call(method, path)(user)` sends the request as the user and asserts success. */
async function createCaller(bench: BenchApp): Promise<(method: 'GET' | 'PUT', path: string) => Call> {
  const tokens = new Map<number, string>();
  for (const { id } of [LARGE, SMALL]) tokens.set(id, await bench.token(id));
  return (method, path) => async (user) => {
    const response = await bench.app.inject({
      method,
      url: `/api/notifications${path}`,
      headers: { authorization: `Bearer ${tokens.get(user)}` },
    });
    const { data } = JSON.parse(response.body) as { data: { list?: unknown[] } | null };
    if (data === null || data.list?.length === 0) throw new Error(`${method} ${path}: ${response.body}`);
  };
}

/** Every fifth position is empty, as if deleted. Three of ten notifications are unread. The types alternate. */
async function load({ dataSource, app }: BenchApp): Promise<void> {
  for (const { id, count } of [LARGE, SMALL]) {
    const rows = Array.from({ length: count }, (_, index) => ({
      user_id: id,
      seq: 1 + Math.floor(index * 1.25),
      type: TYPES[index % TYPES.length],
      title: 'Your order is on its way',
      content: 'It left our house this morning and will reach you within three days. '.repeat(2),
      created_at: new Date(1_700_000_000_000 + index * 1000),
    }));
    for (let start = 0; start < count; start += ROWS_PER_STATEMENT) {
      await dataSource.manager.insert(NotificationEntity, rows.slice(start, start + ROWS_PER_STATEMENT));
    }
    const inbox = { user_id: id, last_seq: rows.at(-1)?.seq ?? 0, version: 1, broadcast_id: 0 };
    await dataSource.manager.insert(InboxEntity, inbox);
    const states = rows.map(({ seq }, index) => ({
      seq,
      code: 1 + (index % TYPES.length),
      isUnread: index % 10 < 3,
    }));
    for (const [start, ofBlock] of byBlock(states)) {
      const { types, unread, ...block } = InboxBlock.empty(start).change(ofBlock, 1, new Map()).toStored();
      const bytes = { types: Buffer.from(types), unread: Buffer.from(unread) };
      await dataSource.manager.insert(NotificationBlockEntity, { user_id: id, ...block, ...bytes });
    }
  }
  for await (const _ of app.get(CounterRepairService).repair());
}

const anotherVersion =
  ({ dataSource }: BenchApp) =>
  async (): Promise<void> =>
    void (await dataSource.query('UPDATE notification_inboxes SET version = version + 1'));

/** Reverts a mark-all by restoring the counts and epochs of the types: the unread bits were not changed. */
async function createReset({ dataSource }: BenchApp): Promise<() => Promise<void>> {
  const types = await dataSource.manager.find(NotificationTypeEntity);
  return async () => {
    await dataSource.manager.upsert(NotificationTypeEntity, types, ['user_id', 'type']);
  };
}
