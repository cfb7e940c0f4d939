import { save } from '../download';

const BOM = '\uFEFF';

/** Downloads a CSV file that has only the column names. */
export const saveTemplate = (columns: readonly string[], fileName: string): void =>
  save(new Blob([BOM, columns.join(','), '\r\n'], { type: 'text/csv' }), fileName);
