import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ApiKeyResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { FilterBar } from '../parts/filters/filter-bar';
import type { ListColumn } from '../parts/tables/list-column';
import { useListView } from '../parts/tables/use-list-view';
import { PagedTable } from '../parts/tables/paged-table';
import { ScreenHeader } from '../parts/screen-header';
import { CreateKey } from './create-key';
import { EditKey } from './edit-key';
import { KeyExpiry } from './key-expiry';
import { RevokeKey } from './revoke-key';
import './keys.css';

/** API keys: create, change, revoke. */
export function KeysScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const view = useListView('keys', useKeyColumns());
  return (
    <>
      <ScreenHeader title={t('screens.keys')}>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ create: true }, { push: true })}
        >
          {t('keys.create')}
        </Button>
      </ScreenHeader>
      <Typography.Paragraph type="secondary">{t('keys.about')}</Typography.Paragraph>
      <FilterBar names={[]} view={view} />
      <PagedTable<ApiKeyResponse>
        queryKey={['keys']}
        fetch={(query, signal) => callboard.keys.list({ query, signal })}
        rowKey="id"
        view={view}
      />
      <CreateKey isOpen={url.text('create') !== undefined} onClose={() => url.set({ create: null })} />
    </>
  );
}

function useKeyColumns(): ListColumn<ApiKeyResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      key: 'name',
      title: t('keys.name'),
      render: ({ name, prefix }) => (
        <Flex vertical>
          <Typography.Text strong>{name}</Typography.Text>
          <Typography.Text type="secondary">
            <code>{prefix}…</code>
          </Typography.Text>
        </Flex>
      ),
    },
    {
      key: 'scopes',
      title: t('keys.scopesLabel'),
      render: ({ scopes }) => (
        <ul className="scope-list">
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      ),
    },
    {
      key: 'last_used_at',
      title: t('keys.lastUsed'),
      render: ({ last_used_at }) =>
        last_used_at === null ? t('keys.neverUsed') : format.dateTime(last_used_at),
    },
    {
      key: 'expires_at',
      title: t('keys.validUntil'),
      render: ({ expires_at }) => <KeyExpiry moment={expires_at} />,
    },
    { key: 'rate', title: t('keys.rate'), align: 'end', render: (key) => format.number(key.rate_per_minute) },
    {
      key: 'created_by',
      title: t('keys.madeBy'),
      render: ({ created_by, created_at }) => (
        <Flex vertical>
          <Link href={`/users?user=${created_by.id}`}>{created_by.name}</Link>
          <Typography.Text type="secondary">{format.dateTime(created_at)}</Typography.Text>
        </Flex>
      ),
    },
    {
      key: 'actions',
      title: t('keys.actions'),
      render: (key) => (
        <Flex gap="small">
          <EditKey apiKey={key} />
          <RevokeKey apiKey={key} />
        </Flex>
      ),
    },
  ];
}
