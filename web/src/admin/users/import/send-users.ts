import type { UpsertUserRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import type { ImportResult, ImportSource, LineResult } from '../../parts/import/import-source';
import type { FileRow } from '../../parts/import/read-file';
import { splitUserRows } from '../../parts/import/split-rows';

/** Maximum number of users of a request (API 3.4). */
export const USERS_PER_REQUEST = 500;

const STATUS = /^[01]$/;

/** Sends the users of a file, request by request, except the lines in which the page finds an error. */
export const sendUsers: ImportSource['send'] = async (file, { isDryRun, signal }) => {
  const { valid, wrong } = splitUserRows(file);
  const results: LineResult[] = wrong.map((line) => ({ ...line, result: 'error', message: null }));
  const counts = { created: 0, updated: 0, unchanged: 0, failed: wrong.length };
  for (let start = 0; start < valid.length; start += USERS_PER_REQUEST) {
    const rows = valid.slice(start, start + USERS_PER_REQUEST);
    const { items, ...report } = await callboard.users.upsert({
      body: { users: rows.map((row) => toUser(file.columns, row)) },
      ...(isDryRun && { query: { dry_run: 1 } }),
      signal,
    });
    for (const { index, result, message } of items)
      results.push({ line: rows[index]?.line ?? 0, result, message });
    for (const name of ['created', 'updated', 'unchanged', 'failed'] as const) counts[name] += report[name];
  }
  return { ...counts, lines: results.toSorted((a, b) => a.line - b.line) } satisfies ImportResult;
};

/** Returns the fields of a line. Empty cells change nothing. The service rejects invalid values. */
function toUser(columns: readonly string[], { cells }: FileRow): UpsertUserRequest {
  const filled = columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    const isNumber = column === 'status' && STATUS.test(cell);
    return cell === '' && column !== 'external_id' ? [] : [[column, isNumber ? Number(cell) : cell] as const];
  });
  return Object.fromEntries(filled) as unknown as UpsertUserRequest;
}
