import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Flex, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { CallboardError, type ImportDevicesResponse, type ImportedLineResponse } from '@callboard/client';
import { useFormat } from '../../../shared/format';
import { type Language, useLanguage } from '../../../shared/i18n/i18n';
import type { DeviceFile } from './device-file';
import { saveErrors } from './save-errors';

interface Props {
  file: DeviceFile;
  report: ImportDevicesResponse;
  /** It was done, and not only tried. */
  isDone?: boolean;
}

export interface LineError {
  line: number;
  serialNo: string;
  message: string;
}

const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;

/** What has become of the lines of a file, or would, and what is wrong with which. */
export function ImportReport({ file, report, isDone = false }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const errors = useErrors(file, report.lines);
  const tense = isDone ? 'done' : 'plan';
  return (
    <section aria-label={t(`devices.import.${tense}.title`)}>
      <Alert
        type={report.failed > 0 ? 'warning' : isDone ? 'success' : 'info'}
        showIcon
        title={t(`devices.import.${tense}.title`)}
        description={
          <ul className="import-counts">
            {COUNTS.map((count) => (
              <li key={count}>
                <b>{format.number(report[count])}</b> {t(`devices.import.${tense}.${count}`)}
              </li>
            ))}
          </ul>
        }
      />
      {errors.length > 0 && (
        <Flex vertical gap="small" style={{ marginTop: '0.75rem' }}>
          <Flex justify="space-between" align="center" wrap gap="small">
            <span>{t(`devices.import.${tense}.errors`)}</span>
            <Button
              icon={<DownloadOutlined aria-hidden />}
              onClick={() => saveErrors(file.name, errors, t('devices.import.problem'))}
            >
              {t('devices.import.saveErrors')}
            </Button>
          </Flex>
          <Table<LineError>
            size="small"
            rowKey="line"
            className="import-table"
            dataSource={errors}
            pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
            columns={[
              { title: t('devices.import.line'), dataIndex: 'line' },
              { title: t('devices.serialNo'), dataIndex: 'serialNo' },
              { title: t('devices.import.problem'), dataIndex: 'message' },
            ]}
          />
        </Flex>
      )}
    </section>
  );
}

/** More cells than the header has. */
const TOO_MANY_CELLS = 'line 取值无效';
const INVALID = 422;

function useErrors({ columns, rows }: DeviceFile, lines: ImportedLineResponse[]): LineError[] {
  const { t } = useTranslation('panel');
  const language: Language = useLanguage();
  const column = columns.indexOf('serial_no');
  const serials = new Map(rows.map(({ line, cells }) => [line, cells[column] ?? '']));
  return lines.flatMap(({ line, message }) => {
    if (message === null) return [];
    const text =
      message === TOO_MANY_CELLS
        ? t('devices.import.tooManyCells')
        : new CallboardError(INVALID, message).text(language);
    return [{ line, serialNo: serials.get(line) ?? '', message: text }];
  });
}
