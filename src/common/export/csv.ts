import { type Options, stringify } from 'csv-stringify/sync';

/*
 * Rows as CSV by RFC 4180, for spreadsheets: UTF-8 with a BOM, a header, and no cell that one could take for a formula
 * (contract 14.1).
 */

/** The library puts `'` before a cell that begins with =, +, -, @, a full-width one of them, TAB or CR. */
const OPTIONS: Options = { record_delimiter: '\r\n', quote_record_delimiter: true, escape_formulas: true };

/**
 * Positions that the library does not escape: a cell that begins with LF, or with `'` before an escaped character. With them
 * `unescapeCell` restores every text.
 */
const UNESCAPED_START = /^(?:\n|'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/;
/**
 * The beginning of a formula behind a separator within a cell. Where lists are separated by `;`, a spreadsheet splits lines
 * there and takes the quotes of RFC 4180 for text, so that the rest of the cell becomes one of its own.
 */
const INNER_FORMULA = /[;\t\r\n](?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const ESCAPED_START = /^'(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/;
const ESCAPED_INNER_FORMULA = /([;\t\r\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Returns the beginning of a file: it is sent also when no row follows. */
export const csvHead = (columns: readonly string[]): string =>
  stringify([columns], { ...OPTIONS, bom: true });

/**
 * Returns the lines of some rows.
 * @param columns names of fields; of fields within fields `caller.id`. A date becomes a moment as JSON has it, any other
 *   object JSON text, null and a missing field an empty cell
 */
export const csvLines = (columns: readonly string[], rows: readonly object[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => harmless(textOf(valueAt(row, column))))),
    OPTIONS,
  );

function valueAt(row: object, column: string): unknown {
  let value: unknown = row;
  for (const name of column.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? null) : null;
  }
  return value;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return value === null ? '' : JSON.stringify(value);
}

/** Puts `'` where the library does not: see `UNESCAPED_START` and `INNER_FORMULA`. */
function harmless(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$&'");
  return UNESCAPED_START.test(inner) ? `'${inner}` : inner;
}

/** Returns the text of a cell that `csvLines` wrote, without the `'` that it puts before formulas. */
export const unescapeCell = (cell: string): string =>
  cell.replace(ESCAPED_START, '').replaceAll(ESCAPED_INNER_FORMULA, '$1');
