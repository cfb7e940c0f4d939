/*
 * Rows as CSV by RFC 4180, for spreadsheets: UTF-8 with a BOM, a header, and no cell that one would take for a formula
 * (contract 14.1).
 */

const BOM = '\uFEFF';
const END = '\r\n';
/** By which a spreadsheet knows a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The beginning of a file: it comes also where no row follows. */
export const csvHead = (columns: readonly string[]): string => BOM + lineOf(columns);

/**
 * A row's line.
 * @param columns names of its fields; of fields within fields `caller.id`. What is a date there is a moment as JSON has it, another
 *   object JSON text, what is null or missing an empty cell
 */
export const csvLine = (columns: readonly string[], row: object): string =>
  lineOf(columns.map((column) => textOf(valueAt(row, column))));

const lineOf = (cells: readonly string[]): string => cells.map(cellOf).join(',') + END;

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

function cellOf(text: string): string {
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
