import type { CallboardError, ImportedLineResponse } from '@callboard/client';
import type { FileColumns, ImportFile } from './read-file';

/** Result of one line of a file. */
export interface LineResult extends ImportedLineResponse {
  /** Why the line was not sent, if the page found an error itself. */
  problem?: 'cells' | 'sameKey' | 'sameAccount';
  /** Earlier line that has the same value, for `sameKey` and `sameAccount`. */
  firstLine?: number;
}

/** Results of an import, or of its preview. */
export interface ImportResult {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  lines: LineResult[];
}

interface SendOptions {
  /** Writes nothing and returns the results that an import would have. */
  isDryRun: boolean;
  signal?: AbortSignal;
}

/** A line whose error is described. */
interface WrongLine {
  /** Returns the cell of a column. */
  cell: (column: string) => string;
  /** Describes an error that has no text of its own. */
  fallback: string;
}

/** Imports objects of one kind from files. */
export interface ImportSource {
  /** Selects the texts, and is the start of file names. */
  kind: 'devices' | 'users';
  columns: FileColumns;
  /** Columns of the template. */
  template: readonly string[];
  /** Parameters of the import that change its preview. */
  parameters?: unknown;
  /** First parts of the query keys to invalidate after an import. */
  changes: readonly string[];
  /** Maximum number of lines that are written together. An import of more lines can stop between two requests. */
  linesPerRequest: number;
  send: (file: ImportFile, options: SendOptions) => Promise<ImportResult>;
  /** Returns the text of an error of a line. */
  describeError: (error: CallboardError, line: WrongLine) => string;
}
