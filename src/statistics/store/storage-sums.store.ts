import type { EntityManager } from 'typeorm';
import { ATTACHMENT_TYPES } from '../../attachments/rules/file-types.rules';
import { plusSeconds } from '../../common/clock';
import { type RawCount, toCount, toSqlTimestamp } from '../../database/sql/dialect';
import type { FilesByTypeResponse, FileSumResponse, StorageResponse } from '../dto/storage.dto';

/* Sums of uploaded files, read from the tables of `attachments`. */

const DAY_SECONDS = 86_400;
const PERIODS = [1, 7, 30] as const;

interface RawSum {
  files: RawCount;
  bytes: RawCount;
}

/**
 * Returns the sums of all files. The statement by type reads one index from its start to its end and no row; the others
 * read files that are not in use.
 */
export async function storageSums(em: EntityManager, now: Date): Promise<StorageResponse> {
  const [byType, unused, incomplete] = await Promise.all([
    sumsByType(em, now),
    sumsOfUnused(em),
    sumOfIncomplete(em),
  ]);
  return { ...byType, unsent: unused('ready'), deleting: unused('deleted'), incomplete };
}

/** @returns the sums of all types together, of each type, and of the last days */
async function sumsByType(em: EntityManager, now: Date) {
  const sums = PERIODS.map(
    (days) => `COALESCE(SUM(CASE WHEN created_at >= ? THEN 1 ELSE 0 END), 0) AS files_${days},
       COALESCE(SUM(CASE WHEN created_at >= ? THEN stored_bytes ELSE 0 END), 0) AS bytes_${days}`,
  );
  const starts = PERIODS.map((days) => toSqlTimestamp(em, plusSeconds(now, -days * DAY_SECONDS)));
  const rows = await em.query<(RawSum & { type: string } & Record<string, RawCount>)[]>(
    `SELECT type, COUNT(*) AS files, SUM(stored_bytes) AS bytes, ${sums.join(', ')} FROM attachments GROUP BY type`,
    starts.flatMap((start) => [start, start]),
  );
  const sumOf = (suffix: string): FileSumResponse => ({
    files: rows.reduce((sum, row) => sum + toCount(row[`files${suffix}`]), 0),
    bytes: rows.reduce((sum, row) => sum + toCount(row[`bytes${suffix}`]), 0),
  });
  const typed = ATTACHMENT_TYPES.map((type) => [type, toSum(rows.find((row) => row.type === type))] as const);
  return {
    total: sumOf(''),
    by_type: Object.fromEntries(typed) as unknown as FilesByTypeResponse,
    last_24_hours: sumOf('_1'),
    last_7_days: sumOf('_7'),
    last_30_days: sumOf('_30'),
  };
}

/** @returns a function that returns the sum of the files that are not in use and have a status */
async function sumsOfUnused(em: EntityManager): Promise<(status: string) => FileSumResponse> {
  const rows = await em.query<(RawSum & { status: string })[]>(
    `SELECT status, COUNT(*) AS files, SUM(stored_bytes) AS bytes FROM attachments
     WHERE status IN ('ready', 'deleted') AND use_count = 0 GROUP BY status`,
  );
  return (status) => toSum(rows.find((row) => row.status === status));
}

async function sumOfIncomplete(em: EntityManager): Promise<FileSumResponse> {
  const [row] = await em.query<RawSum[]>(
    'SELECT COUNT(*) AS files, SUM(received) AS bytes FROM resumable_uploads WHERE attachment_id IS NULL',
  );
  return toSum(row);
}

const toSum = (row: RawSum | undefined): FileSumResponse => ({
  files: toCount(row?.files),
  bytes: toCount(row?.bytes),
});
