import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { useOpenChat } from '../chat-context';

/** Whether the user's own message was read; in groups, by how many members. */
export function ReadState({ message, tabIndex }: { message: MessageResponse; tabIndex: number }) {
  const { t } = useTranslation('client');
  const { conversation, openDialog } = useOpenChat();
  const { read_count: count, unread_count: others } = message;
  if (!conversation.is_group)
    return <span className="read-state">{message.is_read ? t('chat.read') : t('chat.sent')}</span>;
  if (count + others === 0) return <span className="read-state">{t('chat.sent')}</span>;
  return (
    <button
      type="button"
      className="read-state"
      tabIndex={tabIndex}
      onClick={() => openDialog({ kind: 'readers', message })}
    >
      {t('chat.readBy', { count, total: count + others })}
    </button>
  );
}
