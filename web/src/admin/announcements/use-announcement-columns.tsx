import type { AnnouncementResponse } from '@callboard/client';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import type { ListColumn } from '../parts/tables/list-column';
import { AnnouncementState, Audience } from './announcement-state';

/** Columns of the list of announcements. */
export function useAnnouncementColumns(): ListColumn<AnnouncementResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const url = useUrlState();
  const counted = ({ reach }: AnnouncementResponse, figure: number) =>
    reach.counted_at === null ? t('announcements.notCounted') : format.number(figure);
  return [
    {
      title: t('announcements.subject'),
      key: 'title',
      render: ({ id, title }) => (
        <Button
          type="link"
          size="small"
          className="announcement-title"
          aria-haspopup="dialog"
          onClick={() => url.set({ announcement: id }, { push: true })}
        >
          <span>{title}</span>
        </Button>
      ),
    },
    {
      title: t('announcements.state'),
      key: 'status',
      render: (announcement) => <AnnouncementState announcement={announcement} />,
    },
    {
      title: t('announcements.audience'),
      key: 'audience',
      render: (announcement) => <Audience announcement={announcement} />,
    },
    {
      title: t('announcements.recipients'),
      key: 'recipients',
      align: 'end',
      render: ({ recipients }) => format.number(recipients),
    },
    {
      title: t('announcements.delivered'),
      key: 'delivered',
      align: 'end',
      render: (row) => counted(row, row.reach.delivered),
    },
    {
      title: t('announcements.read'),
      key: 'read',
      align: 'end',
      render: (row) => counted(row, row.reach.read),
    },
    {
      title: t('announcements.sender'),
      key: 'sender',
      render: ({ sender }) => sender?.name ?? t('announcements.unknownSender'),
    },
    {
      title: t('announcements.sentAt'),
      key: 'created_at',
      render: ({ created_at }) => format.dateTime(created_at),
    },
  ];
}
