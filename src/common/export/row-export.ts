import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvHead, csvLines } from './csv';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const MEDIA_TYPES: Record<ExportFormat, string> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** What is exported. */
export interface RowExport {
  /** What the file is called that a browser makes of it, before its ending. */
  name: string;
  format: ExportFormat;
  /** The columns of CSV, as `csvLines` has them. */
  columns: readonly string[];
  /** The rows, page after page; each page is asked for when the reader has taken the one before. */
  pages: AsyncIterator<readonly object[], void>;
}

/**
 * Answers rows as a stream of ndjson or CSV, outside the envelope: the handler of an `@ApiExport` route returns it. A page at
 * a time is in memory, however slow the reader. What fails before the first byte is thrown, and so answered in the envelope;
 * what fails later breaks the connection, so that nobody takes a part for the whole. A reader that goes away ends the asking;
 * one that takes nothing is dropped with its connection (`connectionTimeout`). HEAD gets the headers alone.
 */
export async function exportRows(reply: FastifyReply, wanted: RowExport): Promise<Readable> {
  const { name, format, pages } = wanted;
  const isHead = reply.request.method === 'HEAD';
  const first = isHead ? { done: true as const, value: undefined } : await pages.next();
  void reply.headers({
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="${name}.${format}"`,
    'Cache-Control': 'no-store',
  });
  return Readable.from(isHead ? [] : chunks(wanted, first), { objectMode: false });
}

type Step = IteratorResult<readonly object[], void>;

async function* chunks({ format, columns, pages }: RowExport, first: Step): AsyncGenerator<string> {
  try {
    if (format === 'csv') yield csvHead(columns);
    for (let step = first; step.done !== true; step = await pages.next()) {
      if (step.value.length > 0)
        yield format === 'csv' ? csvLines(columns, step.value) : ndjsonOf(step.value);
    }
  } finally {
    // Whoever goes away in the middle leaves the rest unasked for.
    await pages.return?.();
  }
}

const ndjsonOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Rows of an export that are in memory at a time. */
const ROWS_AT_ONCE = 500;

/**
 * All rows by id, page after page: what is made or deleted meanwhile moves none of them.
 * @param read the next rows behind an id, in their order
 */
export async function* pagesById<Row extends { id: number }>(
  read: (next: { afterId: number; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  for (let afterId = 0; ;) {
    const rows = await read({ afterId, limit: ROWS_AT_ONCE });
    yield rows;
    // What is deleted meanwhile makes a page shorter: the last one is that which is empty.
    const last = rows.at(-1);
    if (last === undefined) return;
    afterId = last.id;
  }
}
