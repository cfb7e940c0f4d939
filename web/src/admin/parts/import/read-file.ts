import { uniqueId } from '@callboard/client';
import { type CsvRecord, parseCsv } from './parse-csv';

/** Maximum file size that the service accepts (API 12.6). */
const MAX_BYTES = 1_048_576;
const MAX_LINES = 10_000;
/** Columns of the files of a kind of objects. */
export interface FileColumns {
  /** Column that identifies an object. A file must have it. */
  key: string;
  /** Columns that an import reads, with the key. */
  read: readonly string[];
  /** Columns of an export that an import ignores. */
  ignored: readonly string[];
  /** Columns for which a file is rejected, because their content must not be in files. */
  secret?: readonly string[];
}

export type Encoding = 'UTF-8' | 'GB18030';

/** A valid file and its content. */
export interface ImportFile {
  id: string;
  name: string;
  /**
   * Bytes as read at selection. They are sent even if the file has changed since, so that the import matches the
   * preview.
   */
  bytes: Blob;
  encoding: Encoding;
  /** Columns that are imported, in the order of the file. */
  columns: string[];
  /** Columns that are ignored. */
  ignored: string[];
  /** Each record has one cell per entry of `columns`. */
  rows: FileRow[];
}

export interface FileRow extends CsvRecord {
  /** Whether the line has more cells than the header. */
  hasExtraCells: boolean;
}

/** Why a file cannot be imported. */
export type FileProblem =
  | { kind: 'unreadable' | 'empty' | 'workbook' | 'notText' | 'noKey' | 'noRows' }
  | { kind: 'tooLarge' | 'tooManyLines' | 'brokenQuotes'; number: number }
  | { kind: 'unknownColumns' | 'repeatedColumns' | 'secretColumns'; names: string };

/** First bytes of Excel workbooks, as of all ZIP files. */
const WORKBOOK = 'PK\u0003\u0004';

/** Reads a file as the service does. Returns the problem if the file as a whole cannot be imported. */
export async function readImportFile(file: File, columns: FileColumns): Promise<ImportFile | FileProblem> {
  if (file.size > MAX_BYTES) return { kind: 'tooLarge', number: file.size };
  // Fails if the file was changed or deleted after its selection, or if the user may not read it.
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return { kind: 'unreadable' };
  if (new TextDecoder('latin1').decode(bytes.slice(0, WORKBOOK.length)) === WORKBOOK)
    return { kind: 'workbook' };
  const decoded = decode(bytes);
  if (decoded === undefined || decoded.text.includes('\0')) return { kind: 'notText' };
  const records = parseCsv(decoded.text);
  if ('malformedLine' in records) return { kind: 'brokenQuotes', number: records.malformedLine };
  const [header, ...rows] = records;
  if (header === undefined) return { kind: 'empty' };
  const names = header.cells.map((name) => name.trim());
  const problem = findColumnProblem(names, columns) ?? findRowProblem(rows);
  if (problem !== undefined) return problem;
  const read = [...names.entries()].filter(([, name]) => columns.read.includes(name));
  return {
    id: uniqueId(),
    name: file.name,
    bytes: new Blob([bytes]),
    encoding: decoded.encoding,
    columns: read.map(([, name]) => name),
    ignored: names.filter((name) => columns.ignored.includes(name)),
    rows: rows.map(({ line, cells }) => ({
      line,
      cells: read.map(([at]) => plainText(cells[at] ?? '')),
      hasExtraCells: cells.length > names.length,
    })),
  };
}

/** Formulas as spreadsheets recognise them: at the start of a cell, and after a separator within one. */
const ESCAPED_START = /^'(?='*[=+\-@\t\n\uFF1D\uFF0B\uFF0D\uFF20])/;
const ESCAPED_INNER_FORMULA = /([;\t\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Removes the `'` that exports put before formulas, as the service does. */
const plainText = (cell: string): string =>
  cell.replace(ESCAPED_START, '').replaceAll(ESCAPED_INNER_FORMULA, '$1');

/** Decodes the file. Chinese editions of Excel write GB18030 by default. */
function decode(bytes: ArrayBuffer): { text: string; encoding: Encoding } | undefined {
  for (const encoding of ['UTF-8', 'GB18030'] as const) {
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
    } catch {
      // Not this encoding; try the next one.
    }
  }
  return undefined;
}

function findColumnProblem(
  columns: string[],
  { key, read, ignored, secret = [] }: FileColumns,
): FileProblem | undefined {
  const secrets = columns.filter((name) => secret.includes(name));
  if (secrets.length > 0) return { kind: 'secretColumns', names: secrets.join(', ') };
  if (!columns.includes(key)) return { kind: 'noKey' };
  const unknown = columns.filter((name) => !read.includes(name) && !ignored.includes(name));
  if (unknown.length > 0) return { kind: 'unknownColumns', names: unknown.join(', ') };
  const repeated = columns.filter((name, index) => columns.indexOf(name) !== index);
  return repeated.length > 0 ? { kind: 'repeatedColumns', names: repeated.join(', ') } : undefined;
}

function findRowProblem({ length }: CsvRecord[]): FileProblem | undefined {
  if (length === 0) return { kind: 'noRows' };
  return length > MAX_LINES ? { kind: 'tooManyLines', number: length } : undefined;
}
