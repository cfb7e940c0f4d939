import { PlusOutlined } from '@ant-design/icons';
import { Button, Flex, type TableColumnsType, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ApiKeyResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
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
  const columns = useKeyColumns();
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
      <PagedTable<ApiKeyResponse>
        queryKey={['keys']}
        fetch={(query, signal) => callboard.keys.list({ query, signal })}
        rowKey="id"
        columns={columns}
      />
      <CreateKey isOpen={url.text('create') !== undefined} onClose={() => url.set({ create: null })} />
    </>
  );
}

function useKeyColumns(): TableColumnsType<ApiKeyResponse> {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      title: t('keys.name'),
      render: (_, { name, prefix }) => (
        <Flex vertical>
          <Typography.Text strong>{name}</Typography.Text>
          <Typography.Text type="secondary">
            <code>{prefix}…</code>
          </Typography.Text>
        </Flex>
      ),
    },
    {
      title: t('keys.scopesLabel'),
      render: (_, { scopes }) => (
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
      title: t('keys.lastUsed'),
      render: (_, { last_used_at }) =>
        last_used_at === null ? t('keys.neverUsed') : format.dateTime(last_used_at),
    },
    { title: t('keys.validUntil'), render: (_, { expires_at }) => <KeyExpiry moment={expires_at} /> },
    { title: t('keys.rate'), align: 'end', render: (_, key) => format.number(key.rate_per_minute) },
    {
      title: t('keys.madeBy'),
      render: (_, { created_by, created_at }) => (
        <Flex vertical>
          <Link href={`/users?user=${created_by.id}`}>{created_by.name}</Link>
          <Typography.Text type="secondary">{format.dateTime(created_at)}</Typography.Text>
        </Flex>
      ),
    },
    {
      title: t('keys.actions'),
      render: (_, key) => (
        <Flex gap="small">
          <EditKey apiKey={key} />
          <RevokeKey apiKey={key} />
        </Flex>
      ),
    },
  ];
}
