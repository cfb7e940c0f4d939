import { useTranslation } from 'react-i18next';
import type { CallboardError } from '@callboard/client';
import { Link } from 'wouter';
import { useLiveError } from '../live-store';
import { Retry } from '../parts/retry';
import { ChatView } from './chat-view';
import { useChat } from './open-chats';
import { useConversation } from './use-conversation';
import './chat.css';

/** Codes of permanent errors; other errors may be resolved by a retry. */
const UNAVAILABLE: ReadonlySet<CallboardError['code']> = new Set([403, 404]);

/** Screen of a conversation; shows a placeholder or an error until it is loaded. */
export function ChatScreen({ conversationId }: { conversationId: number }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversation, problem: conversationError, reload } = useConversation(conversationId);
  const [chat, state] = useChat(conversationId);
  const chatError = useLiveError(chat);
  // The state can exist before the history is loaded: it contains unsent messages.
  const isLoaded = chat?.isLoaded === true;
  const error = conversationError ?? (isLoaded ? undefined : chatError);
  if (error !== undefined)
    return (
      <div className="chat-missing">
        {UNAVAILABLE.has(error.code) ? (
          <p>{t('chat.gone')}</p>
        ) : (
          <Retry
            error={error}
            onRetry={() => {
              reload();
              void chat?.reload({ isUrgent: true });
            }}
          />
        )}
        <Link href="/conversations">{t('chat.back')}</Link>
      </div>
    );
  if (conversation === undefined || chat === undefined || state === undefined || !isLoaded)
    return <output className="nothing-chosen">{t('shared:starting')}</output>;
  return <ChatView conversation={conversation} chat={chat} state={state} />;
}
