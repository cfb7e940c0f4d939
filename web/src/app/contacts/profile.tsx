import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { ProfileResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { Picture } from '../../shared/picture';
import { Problem } from '../../shared/problem';
import { queryClient } from '../../shared/query-client';
import { useUser } from '../../shared/sign-in/user-context';
import { CallButton } from '../calls/call-button';
import { personQuery } from '../calls/person-query';
import { Icon } from '../icons';
import { useAction } from '../parts/use-action';
import { PresenceText, usePresence } from '../parts/presence';
import { Retry } from '../parts/retry';
import { MessageButton } from './message-button';

/** Somebody, and what can be done with them. */
export function Profile({ userId }: { userId: number }) {
  const { t } = useTranslation(['client', 'shared']);
  const { data: person, error, refetch } = useQuery(personQuery(userId));
  const params = new URLSearchParams(useSearch());
  params.delete('person');
  return (
    <div className="detail-body">
      <Link href={params.size > 0 ? `/contacts?${params}` : '/contacts'} className="detail-back">
        <Icon name="back" size={20} /> {t('contacts.back')}
      </Link>
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      {person === undefined && error === null && <output>{t('shared:starting')}</output>}
      {person !== undefined && <Person person={person} />}
    </div>
  );
}

function Person({ person: { id, name, avatar, is_active, is_blocked } }: { person: ProfileResponse }) {
  const { t } = useTranslation('client');
  const presence = usePresence([id]).get(id);
  const isOneself = useUser().id === id;
  return (
    <section className="profile" aria-label={name}>
      <Picture name={name} url={avatar} />
      <h2>{name}</h2>
      {!isOneself && !is_blocked && <PresenceText presence={presence} />}
      <output className="soft">
        {isOneself && t('contacts.yourself')}
        {!isOneself && is_blocked && t('contacts.isBlocked', { name })}
        {!isOneself && !is_blocked && !is_active && t('contacts.inactive')}
      </output>
      {!isOneself && (
        <div className="profile-actions">
          {!is_blocked && is_active && (
            <>
              <CallButton userId={id} name={name} mediaType="audio" />
              <CallButton userId={id} name={name} mediaType="video" />
              <MessageButton userId={id} />
            </>
          )}
          <BlockButton userId={id} isBlocked={is_blocked} />
        </div>
      )}
    </section>
  );
}

function BlockButton({ userId, isBlocked }: { userId: number; isBlocked: boolean }) {
  const { t } = useTranslation('client');
  const { run, isRunning, problem } = useAction(async () => {
    const path = { id: userId };
    await (isBlocked ? callboard.people.unblockUser({ path }) : callboard.people.blockUser({ path }));
    await Promise.all(
      ['person', 'blocks', 'presence'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
    );
  });
  return (
    <>
      <button
        type="button"
        className={isBlocked ? 'with-icon' : 'with-icon danger'}
        disabled={isRunning}
        onClick={() => void run()}
      >
        <Icon name="block" />
        {t(isBlocked ? 'contacts.unblock' : 'contacts.block')}
      </button>
      {problem !== undefined && <Problem error={problem} />}
    </>
  );
}
