import { setImmediate as nextTurn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { unescapeCell } from '../../common/export/csv';
import { EMPTY, INVALID } from '../../common/input/fields';
import { DEVICE_COLUMNS } from '../dto/device.dto';
import { LINES_AT_ONCE } from '../limits';

/* Files of devices as spreadsheets write them (contract 14.4): CSV by RFC 4180, with a header, in UTF-8 or GB18030. */

/** Columns that an import reads. */
const COLUMNS = ['serial_no', 'name', 'status', 'group_ids', 'group_path', 'user_id'] as const;
type Column = (typeof COLUMNS)[number];
/** Columns that a file may have. Those of an export are accepted and ignored, so that an exported file can be imported. */
const KNOWN_COLUMNS: ReadonlySet<string> = new Set([...COLUMNS, ...DEVICE_COLUMNS]);

/** A line with something in it: where it begins, and its cells by their columns; undefined: it has more than the header. */
export interface FileLine {
  line: number;
  cells: Partial<Record<Column, string>> | undefined;
}

/** Characters that are parsed in one turn of the event loop: a few milliseconds. */
const SLICE = 16_384;

const refuse = (problem: typeof EMPTY | typeof INVALID): BusinessError => invalidField('file', problem);

/**
 * The lines of a file, without blocking the event loop for long.
 * @throws {BusinessError} VALIDATION `file …`: nothing in it; neither encoding, quotes without an end, columns that are
 *   unknown, twice there or without `serial_no`; more than 10,000 lines
 */
export async function linesOf(file: Buffer): Promise<FileLine[]> {
  const text = decoded(file).replaceAll(/\r\n?/g, '\n');
  const lines: FileLine[] = [];
  let columns: string[] | undefined;
  try {
    for await (const { record, line } of recordsIn(text)) {
      if (columns === undefined) columns = columnsOf(record);
      else if (lines.length < LINES_AT_ONCE) lines.push({ line, cells: cellsOf(record, columns) });
      else throw invalidField('file', (words) => words.tooMany(LINES_AT_ONCE));
    }
  } catch (error) {
    throw error instanceof CsvError ? refuse(INVALID) : error;
  }
  if (columns === undefined) throw refuse(EMPTY);
  return lines;
}

/** Excel in Chinese writes GB18030 where nobody chooses otherwise. */
function decoded(file: Buffer): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(file);
    } catch {
      // Then it is the other one, or none.
    }
  }
  throw refuse(INVALID);
}

/** What is not an empty line, and in which physical line it begins. */
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
      const broken = record.reduce((sum, cell) => sum + breaksIn(cell), 0);
      yield { record, line: info.lines - broken };
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
  for (let start = 0; start < text.length; start += SLICE) {
    yield text.slice(start, start + SLICE);
    await nextTurn();
  }
}

function columnsOf(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  const isKnown = names.every((name) => KNOWN_COLUMNS.has(name));
  if (!isKnown || new Set(names).size !== names.length || !names.includes('serial_no')) throw refuse(INVALID);
  return names;
}

function cellsOf(record: string[], columns: readonly string[]): FileLine['cells'] {
  if (record.slice(columns.length).some((cell) => cell !== '')) return undefined;
  const cells = columns.map((column, index) => [column, unescapeCell(record[index] ?? '')] as const);
  return Object.fromEntries(cells.filter(([column]) => (COLUMNS as readonly string[]).includes(column)));
}
