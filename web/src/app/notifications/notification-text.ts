import { useQuery } from '@tanstack/react-query';
import type { NotificationResponse } from '@callboard/client';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { personQuery } from '../calls/person-query';

interface NotificationText {
  title: string;
  content: string;
}

interface MissedCall {
  peerId: number;
  media: 'audio' | 'video';
}

/** Returns the call that a missed-call notification is about; undefined for other notifications. */
export function toMissedCall({ type, data }: NotificationResponse): MissedCall | undefined {
  const { peer_id: peerId, media_type: media } = data ?? {};
  const isCall = type === 'call_missed' && typeof peerId === 'number';
  return isCall && (media === 'audio' || media === 'video') ? { peerId, media } : undefined;
}

/** Returns the text of a missed call in the language of the page; without a name if the caller is unknown. */
export const missedCallText = (
  { media }: MissedCall,
  name: string | undefined,
  t: TFunction<'client'>,
): NotificationText => ({
  title: t('notifications.kinds.call_missed'),
  content: name === undefined ? t(`calls.history.${media}`) : t(`calls.incoming.${media}`, { name }),
});

/** Returns the text of a notification: the page's own text for a missed call, the stored text otherwise. */
export function useNotificationText(notification: NotificationResponse): NotificationText {
  const { t } = useTranslation('client');
  const call = toMissedCall(notification);
  const { data: caller } = useQuery({ ...personQuery(call?.peerId ?? 0), enabled: call !== undefined });
  return call === undefined ? notification : missedCallText(call, caller?.name, t);
}
