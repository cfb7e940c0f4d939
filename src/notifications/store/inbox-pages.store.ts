import type { EntityManager } from 'typeorm';
import { ListPage, offsetOf } from '../../common/http/page';
import type { ListNotificationsQuery } from '../dto/list-query.dto';
import { type NotificationResponse, toNotificationResponse } from '../dto/notification.dto';
import { countMatching } from '../rules/inbox-block.rules';
import { InboxMap, type ListFilter, type TypeCounts, type Window } from '../rules/inbox-map.rules';
import { type InboxReading, newestRows, readInbox, rowsAt, writtenBlocks } from './inbox-reading.store';
import type { SnapshotReading } from './inbox-snapshot.store';
import { isUnread } from './read-state';
import type { LRUCache } from 'lru-cache';

/** Up to this offset rows are skipped by OFFSET: the index has the list order, and no map is needed. */
const MAX_OFFSET = 100;
/** One more than a page needs whose cached map is outdated and lacks a deletion. */
const MAX_ATTEMPTS = 4;

/** How pages are read. */
export interface Source {
  em: EntityManager;
  /** Absent while the inbox is locked: the state that is read then may be rolled back, and must not be cached. */
  maps?: LRUCache<number, InboxMap>;
}

/** A list of notifications, and the inbox that it belongs to. */
type Listed = Pick<InboxReading, 'isCurrent' | 'types'> & { list: NotificationResponse[] };

/**
 * Reads a page of a user's notifications, newest first. One statement for pages near the start without a read-state
 * filter unless the inbox has archived notifications, and for any page while the cached map is valid; otherwise two, or
 * three for the first page of an inbox with archived notifications that is not in memory. The page is current unless the inbox lacks
 * broadcasts, or is changed all the time.
 */
export async function readPage(
  source: Source,
  userId: number,
  query: ListNotificationsQuery,
): Promise<SnapshotReading<ListPage<NotificationResponse>>> {
  const window = { skip: offsetOf(query), take: query.per_page };
  const isNear = query.is_read === undefined && query.archived !== 1 && window.skip <= MAX_OFFSET;
  const map = source.maps?.get(userId);
  const isKnownToHaveArchived = map !== undefined && hasArchived(query, map.types);
  const newest =
    isNear && !isKnownToHaveArchived ? await readNewest(source, userId, query, window) : undefined;
  const { list, types, isCurrent } = newest ?? (await readByMap(source, userId, query, window));
  const total = totalOf(query, types);
  const length = Math.max(0, Math.min(window.take, total - window.skip));
  return {
    value: new ListPage(list, total, query),
    isCurrent: isCurrent && list.length === length,
  };
}

/** Returns undefined if the index has archived notifications among those of the list. */
async function readNewest(
  { em }: Source,
  userId: number,
  filter: ListFilter,
  window: Window,
): Promise<Listed | undefined> {
  const { rows, types, isCurrent } = await readInbox(em, userId, [newestRows(userId, filter, window)]);
  if (hasArchived(filter, types)) return undefined;
  const list = rows.map((row) =>
    toNotificationResponse(row, { isUnread: isUnread(row, types.get(row.type)?.epoch ?? 0) }),
  );
  return { types, isCurrent, list };
}

/**
 * Finds the positions of the page in the cached map, and reads their rows together with the version of the inbox. If
 * that is another one, the statement has also read the changed blocks, and the page is read again.
 */
async function readByMap(
  { em, maps }: Source,
  userId: number,
  filter: ListFilter,
  window: Window,
): Promise<Listed> {
  let map = maps?.get(userId);
  for (let attempt = 1; ; attempt += 1) {
    const positions = map?.positions(filter, window) ?? [];
    const reading = await readInbox(em, userId, [
      writtenBlocks(userId, map?.version),
      ...(positions.length === 0 ? [] : [rowsAt(userId, positions, filter)]),
    ]);
    const isValid = map?.version === reading.version;
    if (isValid || attempt === MAX_ATTEMPTS) {
      const unread = new Map(positions.map(({ seq, isUnread }) => [seq, isUnread]));
      const list = reading.rows.map((row) =>
        toNotificationResponse(row, {
          isUnread: unread.get(row.seq) === true,
          isArchived: filter.archived === 1,
          snoozeUntil: row.snooze_until,
        }),
      );
      return { types: reading.types, isCurrent: reading.isCurrent && isValid, list };
    }
    map = map === undefined ? new InboxMap(reading) : map.advance(reading);
    if (map !== undefined) maps?.set(userId, map);
  }
}

/** Returns the number of notifications in the list. */
const totalOf = (filter: ListFilter, types: ReadonlyMap<string, TypeCounts>): number =>
  typesOf(filter, types)
    .map((counts) => countMatching(counts, filter))
    .reduce((sum, count) => sum + count, 0);

/** Whether any type of the list has archived notifications. */
const hasArchived = (filter: ListFilter, types: ReadonlyMap<string, TypeCounts>): boolean =>
  typesOf(filter, types).some(({ archived }) => archived > 0);

const typesOf = ({ type }: ListFilter, types: ReadonlyMap<string, TypeCounts>): TypeCounts[] =>
  [...types.values()].filter((counts) => type === undefined || counts.type === type);
