import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Progress, Spin, Typography } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { toCallboardError } from '../../../shared/session';
import { GroupPicker, type PickerOption } from '../../parts/remote-picker';
import { ErrorAlert } from '../../parts/error-alert';
import type { DeviceFile } from './device-file';
import { ImportPreview } from './import-preview';
import { ImportCounts } from './import-report';

interface Props {
  file: DeviceFile;
  group: PickerOption | null;
  onGroup: (group: PickerOption | null) => void;
  /** Error of the last import attempt. */
  importError: unknown;
  isRunning: boolean;
  onImport: () => void;
}

/** Content of a file and a preview of its import. */
export function ImportPlan({ file, group, onGroup, importError, isRunning, onImport }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const id = useId();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['device-import', file.id, group?.value],
    queryFn: ({ signal }) =>
      callboard.devices.import({
        body: file.bytes,
        query: { dry_run: 1, ...(group !== null && { group_id: group.value }) },
        signal,
      }),
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
        {t('devices.import.found', { count: file.rows.length, encoding: file.encoding, lines })}
      </div>
      {!isRunning && isFetching && (
        <output>
          <Spin size="small" /> {t('devices.import.checking')}
        </output>
      )}
      <ErrorAlert error={error} advice={t('devices.import.notWritten')} onRetry={() => void refetch()} />
      {!isFetching && !isRunning && data !== undefined && (
        <section aria-label={t('devices.import.plan.title')}>
          <ImportCounts report={data} />
        </section>
      )}
      <div>
        <label htmlFor={id}>{t('devices.import.group')}</label>
        <GroupPicker
          id={id}
          placeholder={t('devices.import.noGroup')}
          style={{ width: '100%' }}
          value={group}
          onChange={([picked]) => onGroup(picked ?? null)}
        />
        <p className="soft">{t('devices.import.groupHint')}</p>
      </div>
      <ImportError importError={importError} />
      {isRunning && (
        <output>
          <Progress percent={100} status="active" showInfo={false} aria-label={t('devices.import.title')} />
          {t('devices.import.running', { count: file.rows.length, lines })}
        </output>
      )}
      <Flex justify="end">
        <Button
          type="primary"
          loading={isRunning}
          disabled={isFetching || data === undefined || plan === 0}
          onClick={onImport}
        >
          {t('devices.import.start', { count: plan, lines: format.number(plan) })}
        </Button>
      </Flex>
      <ImportPreview file={file} plan={isFetching ? undefined : data} />
    </Flex>
  );
}

/** Explains why an import failed, and whether parts of it may have been written. */
function ImportError({ importError }: { importError: unknown }) {
  const { t } = useTranslation('panel');
  if (importError === null) return null;
  const { status } = toCallboardError(importError);
  // A missing or 5xx response may come from a proxy, and the service may have continued.
  const isOpen = status === 0 || status >= 500;
  return (
    <ErrorAlert
      error={importError}
      advice={t(isOpen ? 'devices.import.partly' : 'devices.import.notWritten')}
    />
  );
}
