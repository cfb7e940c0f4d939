import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { ProfileResponse } from '@callboard/client';
import { Picture } from '../../shared/picture';
import { ErrorMessage } from '../../shared/error-message';
import { useUser } from '../../shared/sign-in/user-context';
import { CallButton } from '../calls/call-button';
import { personQuery } from '../calls/person-query';
import { Icon } from '../icons';
import { useMe } from '../me';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { PresenceText, usePresence } from '../parts/presence';
import { Retry } from '../parts/retry';
import { BlockDialog } from './block-dialog';
import { setBlocked } from './blocks';
import { MessageButton } from './message-button';

/** Profile of a user with the actions on them. */
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
  const isSelf = useUser().id === id;
  return (
    <section className="profile" aria-label={name}>
      <Picture name={name} url={avatar} id={id} />
      <h2>{name}</h2>
      {isSelf ? <OwnAccount /> : <span className="soft">{t('contacts.number', { id })}</span>}
      {!isSelf && !is_blocked && <PresenceText presence={presence} />}
      <output className="soft">
        {isSelf && t('contacts.yourself')}
        {!isSelf && is_blocked && t('contacts.isBlocked', { name })}
        {!isSelf && !is_blocked && !is_active && t('contacts.inactive')}
      </output>
      {!isSelf && (
        <div className="profile-actions">
          {!is_blocked && is_active && (
            <>
              <CallButton userId={id} name={name} mediaType="audio" />
              <CallButton userId={id} name={name} mediaType="video" />
              <MessageButton userId={id} />
            </>
          )}
          <BlockButton userId={id} name={name} isBlocked={is_blocked} />
        </div>
      )}
    </section>
  );
}

/** Account or number by which other users find the signed-in user. */
function OwnAccount() {
  const { t } = useTranslation('client');
  const { id, account } = useMe();
  return (
    <span className="soft">
      {account === null ? t('contacts.number', { id }) : t('contacts.account', { account })}
    </span>
  );
}

interface BlockButtonProps {
  userId: number;
  name: string;
  isBlocked: boolean;
}

function BlockButton({ userId, name, isBlocked }: BlockButtonProps) {
  const { t } = useTranslation('client');
  const [isAsking, setAsking] = useState(false);
  const unblock = useServiceMutation(() => setBlocked(userId, false));
  return (
    <>
      <button
        type="button"
        className={isBlocked ? 'with-icon' : 'with-icon danger'}
        disabled={unblock.isPending}
        onClick={() => (isBlocked ? void unblock.run() : setAsking(true))}
      >
        <Icon name="block" />
        {t(isBlocked ? 'contacts.unblock' : 'contacts.block')}
      </button>
      {unblock.error !== undefined && <ErrorMessage error={unblock.error} />}
      {isAsking && (
        <BlockDialog userId={userId} name={name} isBlocked={false} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
