import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { useOpenChat } from '../chat-context';
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
  if (row.kind === 'pending')
    return <Pending pending={row.pending} rowKey={row.key} isFirst={row.isFirst} hasStatus={row.hasStatus} />;
  const { key, message, isFirst, hasStatus } = row;
  if (message.kind === 'notice' && !message.is_deleted) return <Notice message={message} rowKey={key} />;
  return (
    <Message
      rowKey={key}
      message={message}
      isFirst={isFirst}
      hasStatus={hasStatus}
      isActive={isActive}
      isTarget={isTarget}
      onActive={onActive}
    />
  );
});

/** Separator of two days; a click opens the calendar to jump to another one. */
function Day({ date }: { date: string }) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const { openDialog } = useOpenChat();
  return (
    <p className="day">
      <button type="button" title={t('chat.jumpToDate')} onClick={() => openDialog({ kind: 'date', date })}>
        <time dateTime={date}>{format.day(date)}</time>
      </button>
    </p>
  );
}
