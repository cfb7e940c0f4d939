import { useTranslation } from 'react-i18next';
import type { Conversation } from '@callboard/client';
import { useUser } from '../../shared/sign-in/user-context';
import { displayText } from '../chat/message/display-text';
import { useNoticeText } from '../chat/message/notice';

/** Returns the sender and text of the last message. Notices and message types are in the language of the page. */
export function useLastMessage(conversation: Conversation): string {
  const { t } = useTranslation('client');
  const userId = useUser().id;
  const { last_message: text, last_sender_id: senderId, last_sender_name: senderName } = conversation;
  const isSelf = senderId === userId;
  const noticeText = useNoticeText({
    notice: conversation.last_notice,
    sender_id: senderId ?? 0,
    sender_name: senderName,
    is_self: isSelf,
    display_content: text ?? '',
  });
  if (text === null) return '';
  if (conversation.last_is_deleted) return t('chat.deleted');
  if (conversation.last_is_recalled)
    return isSelf ? t('chat.recalledByMe') : t('chat.recalledBy', { name: senderName ?? conversation.name });
  if (conversation.last_notice !== null) return noticeText;
  const shown = displayText({ type: conversation.message_type ?? 'text', display_content: text }, t);
  if (isSelf) return t('conversations.you', { text: shown });
  return senderName === null ? shown : t('conversations.from', { name: senderName, text: shown });
}
