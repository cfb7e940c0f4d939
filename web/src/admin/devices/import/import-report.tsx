import { Alert, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import type { ImportDevicesResponse } from '@callboard/client';
import { useFormat } from '../../format';
import type { DeviceFile } from './device-file';
import { PagedRows } from '../../parts/tables/paged-rows';
import { SaveErrors } from './save-errors';
import { type LineError, useLineErrors } from './use-line-errors';

const PAGE_SIZE = 10;
const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;

interface CountsProps {
  report: ImportDevicesResponse;
  /** The import was executed, not only planned. */
  isDone?: boolean;
}

/** Number of lines that create a device, change one, change nothing, and fail. */
export function ImportCounts({ report, isDone = false }: CountsProps) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const tense = isDone ? 'done' : 'plan';
  const isNothing = !isDone && report.created + report.updated + report.failed === 0;
  return (
    <Alert
      type={report.failed > 0 ? 'warning' : isDone ? 'success' : 'info'}
      showIcon
      title={t(isNothing ? 'devices.import.plan.nothing' : `devices.import.${tense}.title`)}
      description={
        <>
          <ul className="import-counts">
            {COUNTS.map((count) => (
              <li key={count}>
                <b>{format.number(report[count])}</b> {t(`devices.import.${tense}.${count}`)}
              </li>
            ))}
          </ul>
          {report.failed > 0 && t(`devices.import.${tense}.errors`)}
        </>
      }
    />
  );
}

/** Outcome of an import: counts, and the errors by line. */
export function ImportReport({ file, report }: { file: DeviceFile; report: ImportDevicesResponse }) {
  const { t } = useTranslation('panel');
  const errors = useLineErrors(file, report.lines);
  return (
    <section aria-label={t('devices.import.done.title')}>
      <Flex vertical gap="small">
        <ImportCounts report={report} isDone />
        {errors.length > 0 && (
          <>
            <SaveErrors fileName={file.name} errors={errors} />
            <PagedRows<LineError>
              perPage={PAGE_SIZE}
              rowKey="line"
              rows={errors}
              columns={[
                { key: 'line', title: t('devices.import.line'), render: ({ line }) => line },
                { key: 'serial_no', title: t('devices.serialNo'), render: ({ serialNo }) => serialNo },
                { key: 'problem', title: t('devices.import.problem'), render: ({ message }) => message },
              ]}
            />
          </>
        )}
      </Flex>
    </section>
  );
}
