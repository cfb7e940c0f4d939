import { save } from '../../parts/download';

const BOM = '\uFEFF';
const COLUMNS = 'serial_no,name,status,group_path';

/** Has the browser save an empty file with the columns that a spreadsheet needs. */
export const saveTemplate = (): void =>
  save(new Blob([BOM, COLUMNS, '\r\n'], { type: 'text/csv' }), 'devices-template.csv');
