import type { AnnouncementResponse } from '@callboard/client';
import { Button, type TableColumnsType } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { useUrlState } from '../../shared/url-state';
import { AnnouncementState, Audience } from './announcement-state';

/** Columns of the list of announcements. */
export function useAnnouncementColumns(): TableColumnsType<AnnouncementResponse> {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const url = useUrlState();
  const counted = ({ reach }: AnnouncementResponse, figure: number) =>
    reach.counted_at === null ? t('announcements.notCounted') : format.number(figure);
  return [
    {
      title: t('announcements.subject'),
      dataIndex: 'title',
      render: (_, { id, title }) => (
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
      dataIndex: 'status',
      render: (_, announcement) => <AnnouncementState announcement={announcement} />,
    },
    {
      title: t('announcements.audience'),
      dataIndex: 'audience',
      render: (_, announcement) => <Audience announcement={announcement} />,
    },
    {
      title: t('announcements.recipients'),
      dataIndex: 'recipients',
      align: 'right',
      render: (_, { recipients }) => format.number(recipients),
    },
    {
      title: t('announcements.delivered'),
      dataIndex: ['reach', 'delivered'],
      align: 'right',
      render: (_, row) => counted(row, row.reach.delivered),
    },
    {
      title: t('announcements.read'),
      dataIndex: ['reach', 'read'],
      align: 'right',
      render: (_, row) => counted(row, row.reach.read),
    },
    {
      title: t('announcements.sender'),
      dataIndex: 'sender',
      render: (_, { sender }) => sender?.name ?? t('announcements.unknownSender'),
    },
    {
      title: t('announcements.sentAt'),
      dataIndex: 'created_at',
      render: (_, { created_at }) => format.dateTime(created_at),
    },
  ];
}
