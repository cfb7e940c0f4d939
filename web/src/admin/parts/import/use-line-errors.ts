import { useTranslation } from 'react-i18next';
import { CallboardError } from '@callboard/client';
import { useLanguage } from '../../../shared/i18n/i18n';
import type { ImportSource, LineResult } from './import-source';
import type { ImportFile } from './read-file';
import { findFirstLines } from './split-rows';

export interface LineError {
  line: number;
  /** Cell that identifies the object. */
  key: string;
  message: string;
}

const INVALID = 422;

/** Returns the translated errors of the lines of a file. */
export function useLineErrors(
  { kind, columns, describeError }: ImportSource,
  file: ImportFile,
  lines: readonly LineResult[] | undefined,
): LineError[] {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const rows = new Map(file.rows.map((row) => [row.line, row]));
  const cellOf = (line: number, column: string): string =>
    rows.get(line)?.cells[file.columns.indexOf(column)] ?? '';
  const firstLines = findFirstLines(file.rows, file.columns.indexOf(columns.key));
  const describe = ({ line, message, problem, firstLine }: LineResult, key: string): string => {
    const error = new CallboardError(INVALID, message ?? undefined);
    const first = firstLines.get(key) ?? line;
    if (problem === 'cells' || error.field === 'line') return t('imports.cells');
    if (problem === 'sameAccount') return t('imports.sameAccount', { line: firstLine ?? line });
    const isKey = error.field === columns.key;
    if (problem === 'sameKey' || (isKey && error.key === 'INVALID' && first < line))
      return t(`${kind}.import.wrong.sameKey`, { line: first });
    if (isKey && error.key === 'EMPTY') return t(`${kind}.import.wrong.noKey`);
    return describeError(error, { cell: (column) => cellOf(line, column), fallback: error.text(language) });
  };
  return (lines ?? []).flatMap((result) => {
    if (result.message === null && result.problem === undefined) return [];
    const key = cellOf(result.line, columns.key);
    return [{ line: result.line, key, message: describe(result, key) }];
  });
}
