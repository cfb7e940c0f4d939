import { save } from '../../parts/download';

const BOM = '\uFEFF';
const COLUMNS = 'serial_no,name,status,group_path';

/** Downloads a CSV file that has only the column names. */
export const saveTemplate = (): void =>
  save(new Blob([BOM, COLUMNS, '\r\n'], { type: 'text/csv' }), 'devices-template.csv');
