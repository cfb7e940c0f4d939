import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { save } from '../download';
import type { LineError } from './use-line-errors';

const BOM = '\uFEFF';
/** Start of a cell that a spreadsheet would treat as a formula. */
const FORMULA_PREFIX = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

interface Props {
  /** Name of the column that identifies an object. */
  keyColumn: string;
  fileName: string;
  errors: readonly LineError[];
}

/** Downloads the errors of an import as CSV. */
export function SaveErrors({ keyColumn, fileName, errors }: Props) {
  const { t } = useTranslation('panel');
  const saveAll = (): void => {
    const rows = errors.map(({ line, key, message }) => [String(line), key, message]);
    const head = ['line', keyColumn, t('imports.problem')];
    const text = [head, ...rows].map((cells) => cells.map(cellOf).join(','));
    const file = new Blob([BOM, text.join('\r\n'), '\r\n'], { type: 'text/csv' });
    save(file, `${fileName.replace(/\.csv$/i, '')}-errors.csv`);
  };
  return (
    <Button icon={<DownloadOutlined aria-hidden />} style={{ alignSelf: 'start' }} onClick={saveAll}>
      {t('imports.saveErrors')}
    </Button>
  );
}

function cellOf(text: string): string {
  const escapeFormula = FORMULA_PREFIX.test(text) ? `'${text}` : text;
  return `"${escapeFormula.replaceAll('"', '""')}"`;
}
