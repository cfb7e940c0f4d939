import { type Options, stringify } from 'csv-stringify/sync';

/*
 * CSV by RFC 4180 for spreadsheets: UTF-8 with a BOM, a header row, and formulas escaped in all cells (API 1.7).
 */

/** The library puts `'` before a cell that begins with =, +, -, @, a full-width form of these, TAB or CR. */
const OPTIONS: Options = { record_delimiter: '\r\n', quote_record_delimiter: true, escape_formulas: true };

/**
 * Starts of cells that the library does not escape: LF, or `'` before an escaped character. They are escaped too, so
 * that `unescapeCell` restores every text.
 */
const UNESCAPED_START = /^(?:\n|'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/;
/**
 * The start of a formula after a separator within a cell. In locales whose list separator is `;`, a spreadsheet splits
 * lines there and reads the quotes of RFC 4180 as text, so that the rest of the cell becomes a separate cell.
 */
const INNER_FORMULA = /[;\t\r\n](?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const ESCAPED_START = /^'(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/;
const ESCAPED_INNER_FORMULA = /([;\t\r\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Returns the BOM and the header row. They are sent even if no rows follow. */
export const csvHead = (columns: readonly string[]): string =>
  stringify([columns], { ...OPTIONS, bom: true });

/**
 * Returns the CSV lines of rows.
 * @param columns names of fields, with dots for nested fields (`caller.id`). A date is written as in JSON, any other
 *   object as JSON text, null and a missing field as an empty cell
 */
export const csvLines = (columns: readonly string[], rows: readonly object[]): string =>
  stringify(
    rows.map((row) => columns.map((column) => escapeFormulas(textOf(valueAt(row, column))))),
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

/** Adds `'` at the positions that the library does not escape: see `UNESCAPED_START` and `INNER_FORMULA`. */
function escapeFormulas(text: string): string {
  const inner = text.replaceAll(INNER_FORMULA, "$&'");
  return UNESCAPED_START.test(inner) ? `'${inner}` : inner;
}

/** Reverses the escaping of formulas by `csvLines`. */
export const unescapeCell = (cell: string): string =>
  cell.replace(ESCAPED_START, '').replaceAll(ESCAPED_INNER_FORMULA, '$1');
