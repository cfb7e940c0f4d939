import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { batch } from '../../common/concurrency/batch';
import { inChunks } from '../../common/concurrency/chunks';
import { given, orUpdate, placeholders, type RawMoment, toDate, tuples } from '../../database/dialect';
import { EventEntity } from '../entities/event.entity';
import { EventSources } from '../event-sources';
import type { UnwrittenEvent } from './event';
import { withBodies } from './event-bodies';
import { type Page, type Reading, readPages } from './event-pages';
import { insertEvents, shareTexts } from './event-rows';
import type { LogId, UserLog } from './log-id';

/** Whose cursors one statement reads. */
const USERS_AT_ONCE = 5_000;
const SECONDS_PER_HOUR = 3_600;

/** Where reading starts: after `cursor`. `missed`: events before it are gone that the reader has not seen. */
export interface Start {
  cursor: number;
  missed: boolean;
}

interface FirstRow {
  /** The number of its first event. */
  first: number;
  created_at: RawMoment;
}

/** The table of events: each user's, and each topic's, are numbered 1, 2, 3 … in the order of the commits. */
@Injectable()
export class EventLog {
  readonly #cursors = batch((logs) => this.cursorsOf(logs as LogId[]), 0);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly sources: EventSources,
  ) {}

  /** Writes events at the end of a transaction; logs in ascending order, so that writers queue instead of deadlocking. */
  async write(em: EntityManager, events: UnwrittenEvent[]): Promise<void> {
    const now = this.clock.now();
    const byLog = Map.groupBy(await shareTexts(em, events, now), ({ log }) => log);
    const logs = [...byLog].toSorted(([a], [b]) => a - b);
    for (const chunk of inChunks(logs)) {
      const placed = chunk.map(([log, rows]) => ({ log, ...place(rows) }));
      await raiseCursors(
        em,
        placed.map(({ log, count }) => [log, count] as const),
      );
      await insertEvents(
        em,
        placed.flatMap(({ rows }) => rows),
        now,
      );
    }
  }

  /** The newest cursor of a log; 0 when nothing has happened yet. `em` reads inside a transaction. */
  async cursorOf(log: LogId, em?: EntityManager): Promise<number> {
    return em === undefined ? this.#cursors.load(log) : ((await readCursors(em, [log])).get(log) ?? 0);
  }

  /** The newest cursors of some logs; those in which nothing has happened are missing. */
  async cursorsOf<Log extends LogId>(logs: Log[]): Promise<Map<Log, number>> {
    return readCursors(this.dataSource.manager, logs);
  }

  /**
   * Where a reader with this cursor goes on. One that is unknown, or after which events have outlived the retention,
   * starts anew at the newest (contract 7). No cursor: at the oldest event that is kept.
   */
  async startAfter(log: UserLog, cursor: number | undefined): Promise<Start> {
    const newest = await this.cursorOf(log);
    if (cursor === newest) return { cursor, missed: false };
    if (cursor === undefined) {
      const oldest = await this.#firstAfter(log, 0, this.horizon);
      return { cursor: oldest === undefined ? newest : oldest.first - 1, missed: false };
    }
    const next = cursor < newest ? await this.#firstAfter(log, cursor) : undefined;
    const isWhole = next && next.first <= cursor + 1 && toDate(next.created_at) >= this.horizon;
    return isWhole ? { cursor, missed: false } : { cursor: newest, missed: true };
  }

  /** The next events of several readings, at most `limit` for each: a bounded number of rows and bytes in all. */
  async read(readings: readonly Reading[], limit: number): Promise<Page[]> {
    const pages = await readPages(this.dataSource, readings, limit);
    return this.sources.bodies === undefined ? pages : withBodies(pages, this.sources.bodies);
  }

  /**
   * Those of some readings that the retention has overtaken: the event that comes next for them is gone.
   * @returns for each of them the newest cursor, from which on it may go on
   */
  async overtaken(readings: readonly Reading[]): Promise<Map<Reading, number>> {
    if (readings.length === 0) return new Map();
    const cursors = await this.cursorsOf([...new Set(readings.map(({ log }) => log))]);
    const behind = readings.filter(({ log, after }) => (cursors.get(log) ?? 0) > after);
    // Asked after the cursors: an event that they count is there, or has been.
    const next = await this.read(behind, 1);
    const gone = behind.filter((_, index) => next[index]?.events.length === 0);
    return new Map(gone.map((reading) => [reading, cursors.get(reading.log) ?? 0]));
  }

  /** The first event or run of a log that goes beyond a cursor; `since`: among those that are not older. */
  async #firstAfter(log: LogId, cursor: number, since = new Date(0)): Promise<FirstRow | undefined> {
    return this.dataSource
      .createQueryBuilder(EventEntity, 'event')
      .select(['event.seq - event.run_length + 1 AS first', 'event.created_at AS created_at'])
      .where('event.user_id = :log AND event.seq > :cursor', { log, cursor })
      .andWhere('event.created_at >= :since', { since })
      .orderBy('event.seq')
      .limit(1)
      .getRawOne<FirstRow>();
  }

  /** Events from before this moment have outlived the retention. */
  get horizon(): Date {
    return plusSeconds(this.clock.now(), -this.config.eventRetentionHours * SECONDS_PER_HOUR);
  }
}

/** The rows of one log, each with how many events come after it, and how many events they are. */
function place<Row extends { length: number }>(
  rows: readonly Row[],
): { rows: (Row & { later: number })[]; count: number } {
  const count = rows.reduce((sum, { length }) => sum + length, 0);
  let before = 0;
  return { count, rows: rows.map((row) => ({ ...row, later: count - (before += row.length) })) };
}

/** Allots numbers to logs, in the given order. The rows stay locked until the commit. */
async function raiseCursors(
  em: EntityManager,
  counts: (readonly [log: LogId, count: number])[],
): Promise<void> {
  const onConflict = orUpdate(em, ['user_id'], `last_seq = last_seq + ${given(em, 'last_seq')}`);
  await em.query(
    `INSERT INTO event_cursors (user_id, last_seq) VALUES ${tuples(counts, '?, ?')} ${onConflict}`,
    counts.flat(),
  );
}

async function readCursors<Log extends LogId>(em: EntityManager, logs: Log[]): Promise<Map<Log, number>> {
  const cursors = new Map<Log, number>();
  for (const chunk of inChunks(logs, USERS_AT_ONCE)) {
    const rows: { user_id: Log; last_seq: number }[] = await em.query(
      `SELECT user_id, last_seq FROM event_cursors WHERE user_id IN (${placeholders(chunk)})`,
      chunk,
    );
    for (const { user_id, last_seq } of rows) cursors.set(user_id, last_seq);
  }
  return cursors;
}
