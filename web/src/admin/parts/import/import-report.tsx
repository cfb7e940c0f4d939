import { Alert, Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { PagedRows } from '../tables/paged-rows';
import type { ImportResult, ImportSource } from './import-source';
import type { ImportFile } from './read-file';
import { SaveErrors } from './save-errors';
import { type LineError, useLineErrors } from './use-line-errors';

const PAGE_SIZE = 10;
const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;

interface CountsProps {
  source: ImportSource;
  report: ImportResult;
  /** The import was executed, not only planned. */
  isDone?: boolean;
}

/** Number of lines that create an object, change one, change nothing, and fail. */
export function ImportCounts({ source: { kind }, report, isDone = false }: CountsProps) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const tense = isDone ? 'done' : 'plan';
  const isNothing = !isDone && report.created + report.updated + report.failed === 0;
  return (
    <Alert
      type={report.failed > 0 ? 'warning' : isDone ? 'success' : 'info'}
      showIcon
      title={t(isNothing ? `${kind}.import.nothing` : `imports.${tense}.title`)}
      description={
        <>
          <ul className="import-counts">
            {COUNTS.map((count) => (
              <li key={count}>
                <b>{format.number(report[count])}</b> {t(`${kind}.import.${tense}.${count}`)}
              </li>
            ))}
          </ul>
          {report.failed > 0 && t(`imports.${tense}.errors`)}
        </>
      }
    />
  );
}

interface ReportProps {
  source: ImportSource;
  file: ImportFile;
  report: ImportResult;
}

/** Outcome of an import: counts, and the errors by line. */
export function ImportReport({ source, file, report }: ReportProps) {
  const { t } = useTranslation('panel');
  const errors = useLineErrors(source, file, report.lines);
  return (
    <section aria-label={t('imports.done.title')}>
      <Flex vertical gap="small">
        <ImportCounts source={source} report={report} isDone />
        {errors.length > 0 && (
          <>
            <SaveErrors keyColumn={source.columns.key} fileName={file.name} errors={errors} />
            <PagedRows<LineError>
              perPage={PAGE_SIZE}
              rowKey="line"
              rows={errors}
              columns={[
                { key: 'line', title: t('imports.line'), render: ({ line }) => line },
                { key: 'key', title: t(`${source.kind}.import.key`), render: ({ key }) => key },
                { key: 'problem', title: t('imports.problem'), render: ({ message }) => message },
              ]}
            />
          </>
        )}
      </Flex>
    </section>
  );
}
