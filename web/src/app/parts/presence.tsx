import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PresenceItemResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { useFormat } from '../format';

/** Interval of presence polls. A presence stream per tab would use up the browser's connections. */
const POLL_MS = 5_000;
const MAX_USERS = 100;

export type Presence = ReadonlyMap<number, PresenceItemResponse>;

const NOBODY: Presence = new Map();

/** Returns the presence of the first 100 of these users; empty if the service does not provide presence. */
export function usePresence(userIds: readonly number[]): Presence {
  const isOn = useClientConfig()?.features.presence === true;
  const ids = [...new Set(userIds)].slice(0, MAX_USERS).toSorted((a, b) => a - b);
  const { data } = useQuery({
    queryKey: ['presence', ids.join()],
    queryFn: async ({ signal }) => {
      const { items } = await callboard.people.getPresence({ query: { user_ids: ids.join() }, signal });
      return new Map(items.map((item) => [item.user_id, item]));
    },
    enabled: isOn && ids.length > 0,
    refetchInterval: POLL_MS,
    placeholderData: (before) => before,
  });
  return data ?? NOBODY;
}

/** Dot with a label beside a user who is online. */
export function PresenceDot({ presence }: { presence: PresenceItemResponse | undefined }) {
  const { t } = useTranslation('client');
  if (presence?.online !== true) return null;
  return (
    <span className="presence-dot" title={t('conversations.online')}>
      <span className="for-screen-readers">{t('conversations.online')}</span>
    </span>
  );
}

/** Text that a user is online, or when they were last seen; nothing if unknown. */
export function PresenceText({ presence }: { presence: PresenceItemResponse | undefined }) {
  const { t } = useTranslation('client');
  const format = useFormat();
  if (presence === undefined) return null;
  const { online, last_seen_at: lastSeenAt } = presence;
  if (online) return <span className="presence online">{t('contacts.online')}</span>;
  if (lastSeenAt === null) return null;
  return (
    <span className="presence" title={format.full(lastSeenAt)}>
      {t('contacts.lastSeen', { time: format.momentInText(lastSeenAt) })}
    </span>
  );
}
