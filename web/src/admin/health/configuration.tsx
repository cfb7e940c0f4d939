import { useQuery } from '@tanstack/react-query';
import { Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { ErrorAlert } from '../parts/error-alert';
import { DataTable } from '../parts/tables/data-table';

/** The service's placeholder for secret values. */
const SECRET = 'set';

/** The configuration in effect. */
export function Configuration() {
  const { t } = useTranslation('panel');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['system-config'],
    queryFn: ({ signal }) => callboard.system.getConfig({ signal }),
  });
  const rows = Object.entries(data ?? {}).map(([name, value]) => ({ name, value }));
  return (
    <Flex vertical gap="middle">
      <Typography.Text type="secondary">{t('health.configHint')}</Typography.Text>
      <ErrorAlert error={error} onRetry={() => void refetch()} />
      <DataTable
        density="small"
        rowKey="name"
        rows={rows}
        isLoading={isPending}
        isFailed={error !== null}
        columns={[
          {
            title: t('health.variable'),
            key: 'name',
            width: '24rem',
            render: ({ name }) => <code>{name}</code>,
          },
          {
            title: t('health.value'),
            key: 'value',
            render: ({ value }) => {
              if (value === null)
                return <Typography.Text type="secondary">{t('health.unset')}</Typography.Text>;
              return value === SECRET ? t('health.set') : <code className="config-value">{value}</code>;
            },
          },
        ]}
      />
    </Flex>
  );
}
