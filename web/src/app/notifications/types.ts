import { useQuery } from '@tanstack/react-query';
import type { NotificationResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import type { IconName } from '../icons';
import { useLive } from '../live';

/** Icons of the service's own kinds and of common ones. Any other text is a valid kind too. */
const ICONS = {
  announcement: 'notifications',
  call_missed: 'calls',
  order: 'docs',
  system: 'settings',
  webhook_disabled: 'offline',
} as const satisfies Record<string, IconName>;

const isKnown = (type: string): type is keyof typeof ICONS => Object.hasOwn(ICONS, type);

export const iconOf = ({ type }: NotificationResponse): IconName =>
  isKnown(type) ? ICONS[type] : 'notifications';

/** Returns a function that names a kind; an unknown kind is returned unchanged. */
export function useTypeNames(): (type: string) => string {
  const { t } = useTranslation('client');
  return (type) => (isKnown(type) ? t(`notifications.kinds.${type}`) : type);
}

/** Number of newest notifications that are searched for kinds. */
const MAX_SEARCHED = 100;

/** Returns the kinds of the user's unread and newest notifications, sorted; always includes `chosen`. */
export function useTypes(chosen: string | undefined): string[] {
  const { unreadNotifications } = useLive();
  const { data } = useQuery({
    queryKey: ['notification-kinds'],
    queryFn: ({ signal }) => callboard.notifications.list({ query: { per_page: MAX_SEARCHED }, signal }),
    select: ({ list }) => list.map(({ type }) => type),
  });
  const unread = Object.keys(unreadNotifications?.by_type ?? {});
  return [...new Set([...unread, ...(data ?? []), ...(chosen === undefined ? [] : [chosen])])].toSorted();
}
