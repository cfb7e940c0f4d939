import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvHead, csvLines } from './csv';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const MEDIA_TYPES: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** Content and format of an export. */
export interface RowExport {
  /** Name of the downloaded file, without its extension. */
  name: string;
  format: ExportFormat;
  /** Columns of the CSV file; see `csvLines`. */
  columns: readonly string[];
  /** Pages of rows. A page is requested after the client has received the previous one. */
  pages: AsyncIterator<readonly object[], void>;
}

/**
 * Returns a stream of the rows as ndjson or CSV, for the handler of an `@ApiExport` route to return. The response has
 * no envelope. One page is in memory at a time, regardless of the speed of the client. An error before the first byte
 * is thrown and sent in the envelope; a later error closes the connection, so that a client cannot mistake a partial
 * file for a complete one. If the client disconnects, no further pages are requested; a client that does not read is
 * disconnected (`connectionTimeout`). HEAD returns the headers only.
 */
export async function exportRows(reply: FastifyReply, rowExport: RowExport): Promise<Readable> {
  const { name, format, pages } = rowExport;
  const isHead = reply.request.method === 'HEAD';
  const first = isHead ? { done: true as const, value: undefined } : await pages.next();
  void reply.headers({
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}.${format}"`,
    'Cache-Control': 'no-store',
  });
  return Readable.from(isHead ? [] : chunks(rowExport, first), { objectMode: false });
}

type PageResult = IteratorResult<readonly object[], void>;

async function* chunks({ format, columns, pages }: RowExport, first: PageResult): AsyncGenerator<string> {
  try {
    if (format === 'csv') yield csvHead(columns);
    for (let result = first; result.done !== true; result = await pages.next()) {
      if (result.value.length > 0)
        yield format === 'csv' ? csvLines(columns, result.value) : ndjsonOf(result.value);
    }
  } finally {
    // Stops the source if the client disconnects before the end.
    await pages.return?.();
  }
}

const ndjsonOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Number of rows per page. One page is in memory at a time. */
const PAGE_SIZE = 500;

/**
 * Yields all rows in pages by id. Concurrent inserts and deletions neither skip nor repeat other rows.
 * @param read returns the next rows after an id, ordered by id
 */
export async function* pagesById<Row extends { id: number }>(
  read: (next: { afterId: number; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  for (let afterId = 0; ;) {
    const rows = await read({ afterId, limit: PAGE_SIZE });
    yield rows;
    // Concurrent deletions can make any page shorter, so only an empty page is the last one.
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}
