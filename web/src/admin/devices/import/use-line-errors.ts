import { useTranslation } from 'react-i18next';
import { CallboardError, type ImportedLineResponse } from '@callboard/client';
import { type Language, useLanguage } from '../../../shared/i18n/i18n';
import type { DeviceFile } from './device-file';

export interface LineError {
  line: number;
  serialNo: string;
  message: string;
}

const INVALID = 422;

/** Returns the translated errors of the lines of a file. */
export function useLineErrors(
  file: DeviceFile,
  lines: readonly ImportedLineResponse[] | undefined,
): LineError[] {
  const { t } = useTranslation('panel');
  const language: Language = useLanguage();
  const column = file.columns.indexOf('serial_no');
  const serials = new Map(file.rows.map(({ line, cells }) => [line, cells[column] ?? '']));
  const firstLines = new Map([...serials].toReversed().map(([line, serialNo]) => [serialNo, line]));

  const wordsFor = (message: string, line: number, serialNo: string): string => {
    const error = new CallboardError(INVALID, message);
    const first = firstLines.get(serialNo) ?? line;
    switch (error.field) {
      case 'line':
        return t('devices.import.wrong.cells');
      case 'serial_no':
        if (error.key === 'EMPTY') return t('devices.import.wrong.noSerialNo');
        return error.key === 'INVALID' && first < line
          ? t('devices.import.wrong.sameSerialNo', { line: first })
          : error.text(language);
      case 'name':
        return error.key === 'EMPTY' ? t('devices.import.wrong.noName') : error.text(language);
      case 'status':
        return t('devices.import.wrong.status');
      case 'group_ids':
        return error.key === 'INVALID' ? t('devices.import.wrong.groupIds') : error.text(language);
      case 'group_path':
        return t('devices.import.wrong.groupPath');
      case 'user_id':
        return t('devices.import.wrong.userId');
      default:
        return error.text(language);
    }
  };
  return (lines ?? []).flatMap(({ line, message }) => {
    const serialNo = serials.get(line) ?? '';
    return message === null ? [] : [{ line, serialNo, message: wordsFor(message, line, serialNo) }];
  });
}
