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
const GONE: ReadonlySet<CallboardError['code']> = new Set([403, 404]);

/** Screen of a conversation; shows a placeholder or an error until it is loaded. */
export function ChatScreen({ conversationId }: { conversationId: number }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversation, problem, reload } = useConversation(conversationId);
  const [chat, state] = useChat(conversationId);
  const chatProblem = useLiveError(chat);
  // The state can exist before the history is loaded: it contains unsent messages.
  const isLoaded = chat?.isLoaded === true;
  const refusal = problem ?? (isLoaded ? undefined : chatProblem);
  if (refusal !== undefined)
    return (
      <div className="chat-missing">
        {GONE.has(refusal.code) ? (
          <p>{t('chat.gone')}</p>
        ) : (
          <Retry
            error={refusal}
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
