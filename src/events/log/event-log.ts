import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock, plusSeconds } from '../../common/clock';
import { CONFIG, type Config } from '../../config/config';
import { queryBatcher } from '../../common/concurrency/query-batcher';
import { inChunks } from '../../common/concurrency/chunks';
import { placeholders, type RawTimestamp, toDate, toSqlTimestamp } from '../../database/sql/dialect';
import { EventSources } from '../event-sources';
import { resolvePayloads } from './payload-resolution';
import { type EventPage, type LogReading, readPages } from './event-pages';
import type { LogId, UserLog } from './log-id';

/** Maximum number of logs whose cursors one statement reads. */
const LOGS_PER_STATEMENT = 5_000;
const SECONDS_PER_HOUR = 3_600;

/** Reading starts after `cursor`. `missed`: events up to it that the client has not received were deleted. */
interface Start {
  cursor: number;
  missed: boolean;
}

interface FirstRow {
  /** Number of the row's first event. */
  first: number;
  created_at: RawTimestamp;
}

/** The log of events. The events of every user, and of every topic, are numbered 1, 2, 3 … in commit order. */
@Injectable()
export class EventLog {
  readonly #cursors = queryBatcher((logs) => this.cursorsOf(logs as LogId[]), 0);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly sources: EventSources,
  ) {}

  /** Returns the newest cursor of a log; 0 if it has no events. With `em` it reads inside a transaction. */
  async cursorOf(log: LogId, em?: EntityManager): Promise<number> {
    return em === undefined ? this.#cursors.load(log) : ((await readCursors(em, [log])).get(log) ?? 0);
  }

  /** Returns the newest cursors of logs. Logs without events are absent. */
  async cursorsOf<Log extends LogId>(logs: Log[]): Promise<Map<Log, number>> {
    return readCursors(this.dataSource.manager, logs);
  }

  /**
   * Returns where a client with this cursor continues. If the cursor is unknown, or events after it have outlived the
   * retention, the client continues at the newest cursor with `missed` (API 13.2). Without a cursor it starts before
   * the oldest event within the retention.
   */
  async startAfter(log: UserLog, cursor: number | undefined): Promise<Start> {
    const newest = await this.cursorOf(log);
    if (cursor === newest) return { cursor, missed: false };
    if (cursor === undefined) {
      const oldest = await this.#firstAfter(log, 0, this.horizon);
      return { cursor: oldest === undefined ? newest : oldest.first - 1, missed: false };
    }
    const next = cursor < newest ? await this.#firstAfter(log, cursor) : undefined;
    const isComplete = next && next.first <= cursor + 1 && toDate(next.created_at) >= this.horizon;
    return isComplete ? { cursor, missed: false } : { cursor: newest, missed: true };
  }

  /** Returns the next events of several reads, at most `limit` for each. Rows and bytes of all together are bounded. */
  async read(readings: readonly LogReading[], limit: number): Promise<EventPage[]> {
    let pages = await readPages(this.dataSource, readings, limit);
    for (const resolver of this.sources.payloadResolvers) pages = await resolvePayloads(pages, resolver);
    return pages;
  }

  /**
   * Finds the reads whose position has expired: the retention has deleted their next event.
   * @returns the newest cursor for each of them, at which it may continue
   */
  async expired(readings: readonly LogReading[]): Promise<Map<LogReading, number>> {
    if (readings.length === 0) return new Map();
    const cursors = await this.cursorsOf([...new Set(readings.map(({ log }) => log))]);
    const behind = readings.filter(({ log, after }) => (cursors.get(log) ?? 0) > after);
    // Read after the cursors: an event up to a cursor is committed, so if it is absent it was deleted.
    const next = await this.read(behind, 1);
    const expired = behind.filter((_, index) => next[index]?.events.length === 0);
    return new Map(expired.map((reading) => [reading, cursors.get(reading.log) ?? 0]));
  }

  /** Returns the first row of a log, an event or a run, that ends after a cursor. `since`: ignores older rows. */
  async #firstAfter(log: LogId, cursor: number, since = new Date(0)): Promise<FirstRow | undefined> {
    const [row] = await this.dataSource.query<FirstRow[]>(
      `SELECT seq - run_length + 1 AS first, created_at FROM events
       WHERE user_id = ? AND seq > ? AND created_at >= ? ORDER BY seq LIMIT 1`,
      [log, cursor, toSqlTimestamp(this.dataSource.manager, since)],
    );
    return row;
  }

  /** Events before this time have outlived the retention. */
  get horizon(): Date {
    return plusSeconds(this.clock.now(), -this.config.eventRetentionHours * SECONDS_PER_HOUR);
  }
}

async function readCursors<Log extends LogId>(em: EntityManager, logs: Log[]): Promise<Map<Log, number>> {
  const cursors = new Map<Log, number>();
  for (const chunk of inChunks(logs, LOGS_PER_STATEMENT)) {
    const rows: { user_id: Log; last_seq: number }[] = await em.query(
      `SELECT user_id, last_seq FROM event_cursors WHERE user_id IN (${placeholders(chunk)})`,
      chunk,
    );
    for (const { user_id, last_seq } of rows) cursors.set(user_id, last_seq);
  }
  return cursors;
}
