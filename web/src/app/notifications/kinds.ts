import { useQuery } from '@tanstack/react-query';
import type { NotificationResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { IconName } from '../icons';
import { useLive } from '../live';

/** The service's own kinds, and what most senders use; any other text is a kind as well. */
const ICONS = {
  announcement: 'notifications',
  call_missed: 'calls',
  order: 'docs',
  system: 'settings',
  webhook_disabled: 'offline',
} as const satisfies Record<string, IconName>;

const isKnown = (kind: string): kind is keyof typeof ICONS => Object.hasOwn(ICONS, kind);

export const iconOf = ({ type }: NotificationResponse): IconName =>
  isKnown(type) ? ICONS[type] : 'notifications';

/** Answers the name of a kind; senders name their own. */
export function useKindNames(): (kind: string) => string {
  const { t } = useTranslation('client');
  return (kind) => (isKnown(kind) ? t(`notifications.kinds.${kind}`) : kind);
}

/** How many of the newest are looked at for the kinds that there are. */
const LOOKED_AT = 100;

/** The kinds that the user has; `chosen` is one of them in any case. */
export function useKinds(chosen: string | undefined): string[] {
  const { unreadNotifications } = useLive();
  const { data } = useQuery({
    queryKey: ['notification-kinds'],
    queryFn: ({ signal }) => callboard.notifications.list({ query: { per_page: LOOKED_AT }, signal }),
    select: ({ list }) => list.map(({ type }) => type),
  });
  const unread = Object.keys(unreadNotifications?.by_type ?? {});
  return [...new Set([...unread, ...(data ?? []), ...(chosen === undefined ? [] : [chosen])])].toSorted();
}
