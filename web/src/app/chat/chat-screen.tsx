import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveMessages } from '@callboard/client';
import { Link } from 'wouter';
import { Problem } from '../../shared/problem';
import { ChatView } from './chat-view';
import { useChat } from './open-chats';
import { useConversation } from './use-conversation';
import './chat.css';

const FORBIDDEN = 403;

const toNothing = (): (() => void) => () => undefined;
const useChatProblem = (chat: LiveMessages | undefined) =>
  useSyncExternalStore(chat?.subscribe ?? toNothing, () => chat?.error);

/** A conversation, once it is there. */
export function ChatScreen({ conversationId }: { conversationId: number }) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversation, problem } = useConversation(conversationId);
  const [chat, state] = useChat(conversationId);
  const chatProblem = useChatProblem(chat);
  const refusal = problem ?? (chatProblem?.isTransient === false ? chatProblem : undefined);
  // What waits to be sent may be there before the history.
  const isLoaded = chat?.isLoaded === true;
  if (refusal !== undefined && (problem !== undefined || !isLoaded))
    return (
      <div className="chat-missing">
        {refusal.code === FORBIDDEN ? <p>{t('chat.gone')}</p> : <Problem error={refusal} />}
        <Link href="/conversations">{t('chat.back')}</Link>
      </div>
    );
  if (conversation === undefined || chat === undefined || state === undefined || !isLoaded)
    return (
      <>
        {chatProblem !== undefined && <Problem error={chatProblem} />}
        <output className="nothing-chosen">{t('shared:starting')}</output>
      </>
    );
  return <ChatView conversation={conversation} chat={chat} state={state} />;
}
