import { setImmediate as nextTurn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { unescapeCell } from '../../common/export/csv';
import { EMPTY, INVALID } from '../../common/input/fields';
import { DEVICE_COLUMNS } from '../dto/device.dto';
import { MAX_LINES_PER_REQUEST } from '../limits';

/*
 * Parses files of devices as saved by spreadsheets (API 12.6): CSV (RFC 4180) with a header, in UTF-8 or GB18030.
 */

/** Columns that an import reads. */
const COLUMNS = ['serial_no', 'name', 'status', 'group_ids', 'group_path', 'user_id'] as const;
type Column = (typeof COLUMNS)[number];
/**
 * Columns that a file may have. Those of an export are accepted and ignored, so that an exported file can be imported.
 */
const KNOWN_COLUMNS: ReadonlySet<string> = new Set([...COLUMNS, ...DEVICE_COLUMNS]);

/**
 * A line that is not empty: its first physical line, and its cells by column; undefined if it has more cells than the
 * header.
 */
export interface FileLine {
  line: number;
  cells: Partial<Record<Column, string>> | undefined;
}

/** Characters parsed in one turn of the event loop, which takes a few milliseconds. */
const SLICE_LENGTH = 16_384;

const invalidFile = (problem: typeof EMPTY | typeof INVALID): BusinessError => invalidField('file', problem);

/**
 * Returns the lines of a file. Parses it in slices, so that the event loop is not blocked.
 * @throws {BusinessError} VALIDATION `file …`: an empty file; neither of the encodings, malformed quotes, unknown or
 *   duplicate columns, no column `serial_no`; more than 10,000 lines
 */
export async function readFileRows(file: Buffer): Promise<FileLine[]> {
  const text = decoded(file).replaceAll(/\r\n?/g, '\n');
  const lines: FileLine[] = [];
  let columns: string[] | undefined;
  try {
    for await (const { record, line } of recordsIn(text)) {
      if (columns === undefined) columns = columnsOf(record);
      else if (lines.length < MAX_LINES_PER_REQUEST) lines.push({ line, cells: cellsOf(record, columns) });
      else throw invalidField('file', (catalogue) => catalogue.tooMany(MAX_LINES_PER_REQUEST));
    }
  } catch (error) {
    throw error instanceof CsvError ? invalidFile(INVALID) : error;
  }
  if (columns === undefined) throw invalidFile(EMPTY);
  return lines;
}

/** Decodes UTF-8 or GB18030. Chinese Excel saves CSV in GB18030 by default. */
function decoded(file: Buffer): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file);
    } catch {
      // Try the next encoding.
    }
  }
  throw invalidFile(INVALID);
}

/** Yields the records that are not empty lines, each with its first physical line. */
async function* recordsIn(text: string): AsyncGenerator<{ record: string[]; line: number }> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: '\n',
  });
  const source = Readable.from(slicesOf(text), { objectMode: false });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const lineBreaks = record.reduce((sum, cell) => sum + breaksIn(cell), 0);
      yield { record, line: info.lines - lineBreaks };
    }
  } finally {
    source.destroy();
  }
}

function breaksIn(cell: string): number {
  let count = 0;
  for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count += 1;
  return count;
}

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += SLICE_LENGTH) {
    yield text.slice(start, start + SLICE_LENGTH);
    await nextTurn();
  }
}

function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  const isKnown = names.every((name) => KNOWN_COLUMNS.has(name));
  if (!isKnown || new Set(names).size !== names.length || !names.includes('serial_no'))
    throw invalidFile(INVALID);
  return names;
}

function cellsOf(record: string[], columns: readonly string[]): FileLine['cells'] {
  if (record.slice(columns.length).some((cell) => cell !== '')) return undefined;
  const cells = columns.map((column, index) => [column, unescapeCell(record[index] ?? '')] as const);
  return Object.fromEntries(cells.filter(([column]) => (COLUMNS as readonly string[]).includes(column)));
}
