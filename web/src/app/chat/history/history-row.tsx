import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { Message } from '../message/message';
import { Notice } from '../message/notice';
import { Pending } from '../message/pending';
import type { Row } from './rows';

interface Props {
  row: Row;
  isActive: boolean;
  isTarget: boolean;
  onActive: (key: string) => void;
}

/** A row of the history: a date, the unread divider, a notice, or a message. */
export const HistoryRow = memo(function HistoryRow({ row, isActive, isTarget, onActive }: Props) {
  const { t } = useTranslation('client');
  if (row.kind === 'date') return <Day date={row.date} />;
  if (row.kind === 'unread')
    return (
      <p className="unread-divider" data-key="unread">
        <span>{t('chat.unreadFromHere')}</span>
      </p>
    );
  if (row.kind === 'pending') return <Pending pending={row.pending} rowKey={row.key} />;
  const { key, message, isFirst } = row;
  if (message.kind === 'notice' && !message.is_deleted) return <Notice message={message} rowKey={key} />;
  return (
    <Message
      rowKey={key}
      message={message}
      isFirst={isFirst}
      isActive={isActive}
      isTarget={isTarget}
      onActive={onActive}
    />
  );
});

function Day({ date }: { date: string }) {
  const format = useFormat();
  return (
    <p className="day">
      <time dateTime={date}>{format.day(date)}</time>
    </p>
  );
}
