import { Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AnySessionResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { EndSession, useClientName } from '../parts/people/session-list';
import { Status } from '../parts/status';
import type { ListColumn } from '../parts/tables/list-column';

/** Columns of the list of all sessions, in display order. */
export function useSessionColumns(): ListColumn<AnySessionResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      key: 'user',
      title: t('sessions.find'),
      render: ({ user_id, user_name }) => (
        <Link href={`/users?user=${user_id}&tab=sessions`}>
          {user_name ?? t('parts.unnamedUser', { id: user_id })}
        </Link>
      ),
    },
    { key: 'client', title: t('sessions.clientLabel'), render: (session) => <Client session={session} /> },
    { key: 'ip', title: t('sessions.from'), render: ({ ip }) => ip ?? t('sessions.unknownAddress') },
    {
      key: 'last_used_at',
      title: t('sessions.lastUsed'),
      render: ({ last_used_at }) => format.dateTime(last_used_at),
    },
    {
      key: 'created_at',
      title: t('sessions.since'),
      render: ({ created_at }) => format.dateTime(created_at),
    },
    {
      key: 'expires_at',
      title: t('sessions.until'),
      isOptional: true,
      render: ({ expires_at }) => format.dateTime(expires_at),
    },
    {
      key: 'api_key_id',
      title: t('sessions.key'),
      isOptional: true,
      render: ({ api_key_id }) => api_key_id ?? '–',
    },
    {
      key: 'end',
      title: t('sessions.actions'),
      render: (session) => (
        <EndSession
          session={session}
          onEnd={() => callboard.users.endSession({ path: { id: session.user_id, sessionId: session.id } })}
        />
      ),
    },
  ];
}

function Client({ session }: { session: AnySessionResponse }) {
  const { t } = useTranslation('panel');
  const name = useClientName(session);
  return (
    <Flex gap="small" wrap>
      <Typography.Text title={session.user_agent ?? undefined}>{name}</Typography.Text>
      {session.current && <Status kind="success" label={t('sessions.current')} />}
    </Flex>
  );
}
