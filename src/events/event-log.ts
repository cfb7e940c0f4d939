import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../common/clock';
import { CONFIG, type Config } from '../config/config';
import { batch } from '../database/batch';
import { type RawMoment, toDate, toMoment } from '../database/raw-values';
import { EventEntity } from './entities/event.entity';
import type { LoggedEvent, NewEvent } from './event';

const CHUNK = 500;
/** Of the largest events a transaction may have, no more fit into what MariaDB takes in one packet (16 MB). */
const EVENTS_AT_ONCE = 200;
const SECONDS_PER_HOUR = 3_600;

/** Whose events are to be read, and from where. */
export interface Reading {
  userId: number;
  after: number;
}

/** Where reading starts: after `cursor`. `missed`: events before it are gone that the reader has not seen. */
export interface Start {
  cursor: number;
  missed: boolean;
}

type Row = Omit<LoggedEvent, 'created_at'> & { created_at: Date | string };
type FirstRow = Pick<Row, 'seq' | 'created_at'>;

/** The table of events: each user's, and each topic's, are numbered 1, 2, 3 … in the order of the commits. */
@Injectable()
export class EventLog {
  readonly #cursors = batch((userIds) => this.cursorsOf(userIds), 0);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Writes events at the end of a transaction; users in ascending order, so that writers queue instead of deadlocking. */
  async write(em: EntityManager, events: NewEvent[]): Promise<void> {
    const byUser = Map.groupBy(events, ({ userId }) => userId);
    const userIds = [...byUser.keys()].toSorted((a, b) => a - b);
    const created_at = toMoment(em, this.clock.now());
    for (const chunk of inChunks(userIds)) {
      await raiseCursors(
        em,
        chunk.map((userId) => [userId, byUser.get(userId)?.length ?? 0] as const),
      );
      const rows = chunk.flatMap((userId) => {
        const own = byUser.get(userId) ?? [];
        return own.map((event, index) => ({ ...event, later: own.length - 1 - index }));
      });
      for (const part of inChunks(rows, EVENTS_AT_ONCE)) await insertEvents(em, part, created_at);
    }
  }

  /** The newest cursor of a user; 0 when nothing has happened yet. `em` reads inside a transaction. */
  async cursorOf(userId: number, em?: EntityManager): Promise<number> {
    return em === undefined
      ? this.#cursors.load(userId)
      : ((await readCursors(em, [userId])).get(userId) ?? 0);
  }

  /** The newest cursors of some users; those to whom nothing has happened are missing. */
  async cursorsOf(userIds: number[]): Promise<Map<number, number>> {
    return readCursors(this.dataSource.manager, userIds);
  }

  /**
   * Where a reader with this cursor goes on. One that is unknown, or after which events have outlived the retention,
   * starts anew at the newest (contract 7). No cursor: at the oldest event that is kept.
   */
  async startAfter(userId: number, cursor: number | undefined): Promise<Start> {
    const newest = await this.cursorOf(userId);
    if (cursor === newest) return { cursor, missed: false };
    if (cursor === undefined) {
      const oldest = await this.#firstAfter(userId, 0, this.#horizon());
      return { cursor: oldest === undefined ? newest : oldest.seq - 1, missed: false };
    }
    const next = cursor < newest ? await this.#firstAfter(userId, cursor) : undefined;
    const isWhole = next?.seq === cursor + 1 && toDate(next.created_at) >= this.#horizon();
    return isWhole ? { cursor, missed: false } : { cursor: newest, missed: true };
  }

  /** The next events of several readings with one query, at most `limit` for each, in order. */
  async read(readings: Reading[], limit: number): Promise<LoggedEvent[][]> {
    // Numbers are dense, so a range of numbers is a limit.
    const ranges = readings.map(() => '(user_id = ? AND seq > ? AND seq <= ?)').join(' OR ');
    const rows: Row[] = await this.dataSource.query(
      `SELECT user_id, seq, type, payload, created_at FROM events WHERE ${ranges} ORDER BY user_id, seq`,
      readings.flatMap(({ userId, after }) => [userId, after, after + limit]),
    );
    const byUser = Map.groupBy(
      rows.map((row): LoggedEvent => ({ ...row, created_at: toDate(row.created_at) })),
      ({ user_id }) => user_id,
    );
    return readings.map(({ userId, after }) =>
      (byUser.get(userId) ?? []).filter(({ seq }) => seq > after && seq <= after + limit),
    );
  }

  /** Deletes one batch of events that have outlived the retention; answers how many. */
  async trim(batch: number): Promise<number> {
    const old: { user_id: number; seq: number }[] = await this.dataSource
      .createQueryBuilder(EventEntity, 'event')
      .select(['event.user_id AS user_id', 'event.seq AS seq'])
      .where('event.created_at < :horizon', { horizon: this.#horizon() })
      .orderBy('event.created_at')
      .limit(batch)
      .getRawMany();
    if (old.length === 0) return 0;
    const keys = old.map(() => '(?, ?)').join(', ');
    // SQLite compares a row with a list of rows only when the list is a query.
    const list = this.dataSource.options.type === 'better-sqlite3' ? `VALUES ${keys}` : keys;
    await this.dataSource.query(
      `DELETE FROM events WHERE (user_id, seq) IN (${list})`,
      old.flatMap(({ user_id, seq }) => [user_id, seq]),
    );
    return old.length;
  }

  /** A user's first event after a cursor; `since`: among those that are not older. */
  async #firstAfter(userId: number, cursor: number, since = new Date(0)): Promise<FirstRow | undefined> {
    return this.dataSource
      .createQueryBuilder(EventEntity, 'event')
      .select(['event.seq AS seq', 'event.created_at AS created_at'])
      .where('event.user_id = :userId AND event.seq > :cursor', { userId, cursor })
      .andWhere('event.created_at >= :since', { since })
      .orderBy('event.seq')
      .limit(1)
      .getRawOne<FirstRow>();
  }

  #horizon(): Date {
    return plusSeconds(this.clock.now(), -this.config.eventRetentionHours * SECONDS_PER_HOUR);
  }
}

/** Allots numbers to users, in the given order. The rows stay locked until the commit. */
async function raiseCursors(
  em: EntityManager,
  counts: (readonly [userId: number, count: number])[],
): Promise<void> {
  const onConflict =
    em.dataSource.options.type === 'better-sqlite3'
      ? 'ON CONFLICT (user_id) DO UPDATE SET last_seq = last_seq + excluded.last_seq'
      : 'ON DUPLICATE KEY UPDATE last_seq = last_seq + VALUES(last_seq)';
  const values = counts.map(() => '(?, ?)').join(', ');
  await em.query(
    `INSERT INTO event_cursors (user_id, last_seq) VALUES ${values} ${onConflict}`,
    counts.flat(),
  );
}

/** Inserts events under the numbers just allotted; `later`: how many of the same user come after. */
async function insertEvents(
  em: EntityManager,
  events: (NewEvent & { later: number })[],
  createdAt: RawMoment,
): Promise<void> {
  const row = '(?, (SELECT last_seq FROM event_cursors WHERE user_id = ?) - ?, ?, ?, ?)';
  await em.query(
    `INSERT INTO events (user_id, seq, type, payload, created_at) VALUES ${events.map(() => row).join(', ')}`,
    events.flatMap(({ userId, later, type, payload }) => [
      userId,
      userId,
      later,
      type,
      typeof payload === 'string' ? payload : JSON.stringify(payload),
      createdAt,
    ]),
  );
}

async function readCursors(em: EntityManager, userIds: number[]): Promise<Map<number, number>> {
  const cursors = new Map<number, number>();
  for (const chunk of inChunks(userIds, 10 * CHUNK)) {
    const places = chunk.map(() => '?').join(', ');
    const rows: { user_id: number; last_seq: number }[] = await em.query(
      `SELECT user_id, last_seq FROM event_cursors WHERE user_id IN (${places})`,
      chunk,
    );
    for (const { user_id, last_seq } of rows) cursors.set(user_id, last_seq);
  }
  return cursors;
}

function inChunks<T>(items: T[], size = CHUNK): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
