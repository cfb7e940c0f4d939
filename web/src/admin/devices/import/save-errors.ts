import { save } from '../../parts/download';
import type { LineError } from './import-report';

const BOM = '\uFEFF';
/** By which a spreadsheet knows a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r]/;

/** Has the browser save what is wrong with which line of a file, as CSV for spreadsheets. */
export function saveErrors(fileName: string, errors: readonly LineError[], problem: string): void {
  const rows = errors.map(({ line, serialNo, message }) => [String(line), serialNo, message]);
  const text = [['line', 'serial_no', problem], ...rows].map((cells) => cells.map(cellOf).join(','));
  const file = new Blob([BOM, text.join('\r\n'), '\r\n'], { type: 'text/csv' });
  save(file, `${fileName.replace(/\.csv$/i, '')}-errors.csv`);
}

function cellOf(text: string): string {
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
