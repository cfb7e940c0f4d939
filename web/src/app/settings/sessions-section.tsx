import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Retry } from '../parts/retry';
import { deviceName } from './device-name';
import { Section } from './section';

/** Queries to refetch when a session ends. */
const CHANGES = { changes: ['sessions'] };

/** List of the user's sessions, each with a button that ends it. */
export function SessionsSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  const sessions = useQuery({
    queryKey: CHANGES.changes,
    queryFn: ({ signal }) => callboard.identity.listSessions({ signal }),
  });
  const ending = useServiceMutation(() => callboard.identity.endOtherSessions(), CHANGES);
  const items = sessions.data?.items ?? [];
  const others = items.filter(({ current }) => !current).length;
  return (
    <Section title={t('settings:sessions.title')} hint={t('settings:sessions.hint')}>
      {sessions.isPending && <output className="soft">{t('shared:starting')}</output>}
      {sessions.error !== null && <Retry error={sessions.error} onRetry={() => void sessions.refetch()} />}
      <ul className="settings-list">
        {items.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {ending.error !== undefined && <ErrorMessage error={ending.error} />}
      <div className="settings-acts">
        <button type="button" disabled={others === 0 || ending.isPending} onClick={() => void ending.run()}>
          {t('settings:sessions.endOthers')}
        </button>
        <output className="done">{ending.isSuccess && others === 0 && t('settings:sessions.ended')}</output>
      </div>
    </Section>
  );
}

function SessionRow({ session }: { session: SessionResponse }) {
  const { t } = useTranslation(['client', 'settings']);
  const format = useFormat();
  const { id, current, ip, user_agent: userAgent } = session;
  const row = useRef<HTMLLIElement>(null);
  const ending = useServiceMutation(() => callboard.identity.endSession({ path: { id } }), CHANGES);
  const end = async (): Promise<void> => {
    // Moves the focus, which would be lost with the row.
    const heading = row.current?.closest('section')?.querySelector('h2');
    if (await ending.run()) heading?.focus();
  };
  const name = userAgent === null ? t('settings:sessions.unknown') : deviceName(userAgent);
  return (
    <li ref={row}>
      <div className="settings-item">
        <strong title={userAgent ?? undefined}>{name}</strong>
        {current && <span className="here">{t('settings:sessions.current')}</span>}
        <div className="soft">
          {t('settings:sessions.used', { time: format.momentInText(session.last_used_at) })}
          {ip !== null && ` · ${ip}`}
        </div>
        <div className="soft">
          {t('settings:sessions.begun', { time: format.momentInText(session.created_at) })}
        </div>
        {ending.error !== undefined && <ErrorMessage error={ending.error} />}
      </div>
      {!current && (
        <button type="button" aria-label={t('settings:sessions.endOf', { name })} onClick={() => void end()}>
          {t('settings:sessions.end')}
        </button>
      )}
    </li>
  );
}
