import { App, Button, Empty, Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SessionResponse, UserSessionResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { Status } from '../status';
import { useToastMutation } from '../use-toast-mutation';
import { useConfirm } from '../use-confirm';
import { parseUserAgent } from './parse-user-agent';
import './session-list.css';

interface Props {
  label: string;
  /** Sessions of other users have the API key that created them. */
  sessions: (SessionResponse | UserSessionResponse)[];
  /** Ends a session. */
  onEnd: (session: SessionResponse) => Promise<unknown>;
}

const NOT_FOUND = 404;

/** The sessions of a user. */
export function SessionList({ label, sessions, onEnd }: Props) {
  const { t } = useTranslation('panel');
  if (sessions.length === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('sessions.none')} />;
  return (
    <ul className="session-list" aria-label={label}>
      {sessions.map((session) => (
        <SessionItem key={session.id} session={session} onEnd={onEnd} />
      ))}
    </ul>
  );
}

interface EndProps {
  session: SessionResponse;
  onEnd: () => Promise<unknown>;
}

/** Button that ends a session after a confirmation. */
export function EndSession({ session, onEnd }: EndProps) {
  const { t } = useTranslation('panel');
  const confirm = useConfirm();
  const name = useClientName(session);
  const { message } = App.useApp();
  const ending = useToastMutation(onEnd, {
    done: t('sessions.ended'),
    changes: ['sessions', 'audit'],
    onError: ({ code }) => {
      const isGone = code === NOT_FOUND;
      if (isGone) void message.info(t('sessions.gone'));
      return isGone;
    },
  });
  const end = async (): Promise<void> => {
    const question = {
      title: t('sessions.endOne', { client: name }),
      content: t(session.current ? 'sessions.endCurrentHint' : 'sessions.endHint'),
      ok: t('sessions.end'),
    };
    if (await confirm(question)) await ending.run();
  };
  return (
    <Button
      danger
      loading={ending.isPending}
      aria-label={t('sessions.endOne', { client: name })}
      onClick={() => void end()}
    >
      {t('sessions.end')}
    </Button>
  );
}

function SessionItem({ session, onEnd }: { session: Props['sessions'][number]; onEnd: Props['onEnd'] }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const name = useClientName(session);
  const keyId = 'api_key_id' in session ? session.api_key_id : null;
  return (
    <li>
      <Flex justify="space-between" align="flex-start" gap="middle">
        <div>
          <Flex gap="small" wrap>
            <Typography.Text strong title={session.user_agent ?? undefined}>
              {name}
            </Typography.Text>
            {session.current && <Status kind="success" label={t('sessions.current')} />}
          </Flex>
          <dl className="session-facts">
            <Fact label={t('sessions.from')} value={session.ip ?? t('sessions.unknownAddress')} />
            {keyId !== null && <Fact label={t('sessions.key')} value={String(keyId)} />}
            <Fact label={t('sessions.since')} value={format.dateTime(session.created_at)} />
            <Fact label={t('sessions.lastUsed')} value={format.dateTime(session.last_used_at)} />
            <Fact label={t('sessions.until')} value={format.dateTime(session.expires_at)} />
          </dl>
        </div>
        <EndSession session={session} onEnd={() => onEnd(session)} />
      </Flex>
    </li>
  );
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

export function useClientName({ user_agent }: SessionResponse): string {
  const { t } = useTranslation('panel');
  if (user_agent === null) return t('sessions.unknownClient');
  const client = parseUserAgent(user_agent);
  if (client === undefined) return user_agent;
  return client.system === undefined
    ? client.program
    : t('sessions.client', { program: client.program, system: client.system });
}
