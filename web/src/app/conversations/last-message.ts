import { useTranslation } from 'react-i18next';
import type { Conversation } from '@callboard/client';
import { useUser } from '../../shared/sign-in/user-context';

/** The service names kinds of messages in brackets, in a language of its own. */
const KIND = /^\[[^\]]*\]/;

/** What was said last, and by whom. */
export function useLastMessage({
  last_message: text,
  message_type: type,
  last_sender_id: senderId,
  last_sender_name: senderName,
}: Conversation): string {
  const { t } = useTranslation('client');
  const userId = useUser().id;
  if (text === null) return '';
  const shown =
    type === null || type === 'text' ? text : text.replace(KIND, `[${t(`conversations.types.${type}`)}]`);
  if (senderId === userId) return t('conversations.you', { text: shown });
  return senderName === null ? shown : t('conversations.from', { name: senderName, text: shown });
}
