import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Progress, Spin, Typography } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { toCallboardError } from '../../../shared/session';
import { ErrorAlert } from '../error-alert';
import { ImportPreview } from './import-preview';
import { ImportCounts } from './import-report';
import type { ImportSource } from './import-source';
import type { ImportFile } from './read-file';

interface Props {
  source: ImportSource;
  file: ImportFile;
  /** Fields of the import's parameters. */
  options: ReactNode;
  /** Error of the last import attempt. */
  importError: unknown;
  isRunning: boolean;
  onImport: () => void;
}

/** First part of the query keys of previews. */
export const IMPORT_QUERY = 'import';

/** Content of a file and a preview of its import. */
export function ImportPlan({ source, file, options, importError, isRunning, onImport }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [IMPORT_QUERY, file.id, source.parameters],
    queryFn: ({ signal }) => source.send(file, { isDryRun: true, signal }),
    enabled: !isRunning,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const plan = data === undefined ? 0 : data.created + data.updated;
  const lines = format.number(file.rows.length);
  return (
    <Flex vertical gap="middle">
      <div>
        <Typography.Title level={2} className="section-title">
          {file.name}
        </Typography.Title>
        {t('imports.found', { count: file.rows.length, encoding: file.encoding, lines })}
      </div>
      {!isRunning && isFetching && (
        <output>
          <Spin size="small" /> {t('imports.checking')}
        </output>
      )}
      <ErrorAlert error={error} advice={t('imports.notWritten')} onRetry={() => void refetch()} />
      {!isFetching && !isRunning && data !== undefined && (
        <section aria-label={t('imports.plan.title')}>
          <ImportCounts source={source} report={data} />
        </section>
      )}
      {options}
      <ImportError importError={importError} isOneRequest={file.rows.length <= source.linesPerRequest} />
      {isRunning && (
        <output>
          <Progress
            percent={100}
            status="active"
            showInfo={false}
            aria-label={t(`${source.kind}.import.title`)}
          />
          {t('imports.running', { count: file.rows.length, lines })}
        </output>
      )}
      <Flex justify="end">
        <Button
          type="primary"
          loading={isRunning}
          disabled={isFetching || data === undefined || plan === 0}
          onClick={onImport}
        >
          {t('imports.start', { count: plan, lines: format.number(plan) })}
        </Button>
      </Flex>
      <ImportPreview source={source} file={file} plan={isFetching ? undefined : data} />
    </Flex>
  );
}

/** Explains why an import failed, and whether parts of it may have been written. */
function ImportError({ importError, isOneRequest }: { importError: unknown; isOneRequest: boolean }) {
  const { t } = useTranslation('panel');
  if (importError === undefined) return null;
  const { status } = toCallboardError(importError);
  // A missing or 5xx response may come from a proxy, and the service may have continued.
  const isOpen = status === 0 || status >= 500 || !isOneRequest;
  return <ErrorAlert error={importError} advice={t(isOpen ? 'imports.partly' : 'imports.notWritten')} />;
}
