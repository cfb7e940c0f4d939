import type { UpsertUserRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import type { ImportResult, ImportSource, LineResult } from '../../parts/import/import-source';
import type { FileRow, ImportFile } from '../../parts/import/read-file';

/** Maximum number of users of a request (API 3.4). */
export const USERS_PER_REQUEST = 500;

const STATUS = /^[01]$/;

/**
 * Sends the users of a file, request by request. Lines with too many cells, and lines whose external id occurred before,
 * are not sent: the service sees one request at a time, and would change the user twice.
 */
export const sendUsers: ImportSource['send'] = async (file, { isDryRun, signal }) => {
  const { valid, wrong } = splitRows(file);
  const results: LineResult[] = [...wrong];
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

function splitRows({ columns, rows }: ImportFile): { valid: FileRow[]; wrong: LineResult[] } {
  const key = columns.indexOf('external_id');
  const seen = new Set<string>();
  const valid: FileRow[] = [];
  const wrong: LineResult[] = [];
  for (const row of rows) {
    const id = row.cells[key] ?? '';
    const problem = row.hasExtraCells ? 'cells' : id !== '' && seen.has(id) ? 'sameKey' : undefined;
    seen.add(id);
    if (problem === undefined) valid.push(row);
    else wrong.push({ line: row.line, result: 'error', message: null, problem });
  }
  return { valid, wrong };
}

/** Returns the fields of a line. Empty cells change nothing. The service rejects invalid values. */
function toUser(columns: readonly string[], { cells }: FileRow): UpsertUserRequest {
  const filled = columns.flatMap((column, index) => {
    const cell = cells[index] ?? '';
    const isNumber = column === 'status' && STATUS.test(cell);
    return cell === '' && column !== 'external_id' ? [] : [[column, isNumber ? Number(cell) : cell] as const];
  });
  return Object.fromEntries(filled) as unknown as UpsertUserRequest;
}
