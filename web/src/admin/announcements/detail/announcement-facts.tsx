import type { AnnouncementResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { FactsTable } from '../../parts/facts-table';
import { AnnouncementState, Audience } from '../announcement-state';

/** Sender, audience and reach of an announcement. */
export function AnnouncementFacts({ announcement }: { announcement: AnnouncementResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { recipients, reach, sender, created_at, recalled_at } = announcement;
  const senderName = sender?.name ?? t('announcements.unknownSender');
  const counted = (figure: number) =>
    reach.counted_at === null ? t('announcements.notCounted') : format.number(figure);
  return (
    <FactsTable
      facts={[
        {
          key: 'state',
          label: t('announcements.state'),
          children: <AnnouncementState announcement={announcement} />,
        },
        {
          key: 'audience',
          label: t('announcements.audience'),
          children: <Audience announcement={announcement} />,
        },
        { key: 'recipients', label: t('announcements.recipients'), children: format.number(recipients) },
        {
          key: 'delivered',
          label: t('announcements.delivered'),
          children: `${counted(reach.delivered)} · ${t('announcements.deliveredHint')}`,
        },
        { key: 'read', label: t('announcements.read'), children: counted(reach.read) },
        { key: 'counted', label: t('announcements.counted'), children: format.dateTime(reach.counted_at) },
        {
          key: 'sender',
          label: t('announcements.sender'),
          children: sender?.type === 'key' ? t('announcements.keySender', { name: senderName }) : senderName,
        },
        { key: 'sent', label: t('announcements.sentAt'), children: format.dateTime(created_at) },
        ...(recalled_at === null
          ? []
          : [
              {
                key: 'withdrawn',
                label: t('announcements.withdrawnAt'),
                children: format.dateTime(recalled_at),
              },
            ]),
      ]}
    />
  );
}
