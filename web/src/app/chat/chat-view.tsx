import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse, LiveMessages, MessageResponse, MessagesState } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { Problem } from '../../shared/problem';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { useIsBlocked } from '../contacts/blocks';
import { BlockedNote } from './blocked-note';
import { type Chat, ChatContext, type ChatDialog } from './chat-context';
import { ChatHeader } from './chat-header';
import { Composer } from './composer/composer';
import { useComposer } from './composer/use-composer';
import { ChatDialogs } from './dialogs/chat-dialogs';
import { History } from './history/history';
import { TypingLine } from './history/typing-line';
import { useOpening } from './history/use-opening';
import { useUndelivered } from './use-undelivered';

interface Props {
  conversation: ConversationResponse;
  chat: LiveMessages;
  state: MessagesState;
}

/** An open conversation: header, message history and composer. */
export function ChatView({ conversation, chat, state }: Props) {
  const { t } = useTranslation(['client', 'shared']);
  const [dialog, setDialog] = useState<ChatDialog>();
  const opening = useOpening(conversation, chat, state);
  const { goTo } = opening;
  const composer = useComposer(conversation.id);
  const react = useServiceMutation(
    (message: MessageResponse, emoji: string, reacted: boolean) =>
      callboard.messages.reactTo({ path: { id: message.id }, body: { emoji, reacted } }),
    { isSerial: true },
  );
  const { run: runReaction } = react;
  const undelivered = useUndelivered(conversation.is_group ? undefined : react.error);
  const isBlocked = useIsBlocked(conversation.peer_id);
  const { beginReply, beginEdit } = composer;
  const value = useMemo<Chat>(
    () => ({
      conversation,
      messages: chat,
      isBlocked,
      reply: beginReply,
      edit: beginEdit,
      react: (message, emoji, reacted) => void runReaction(message, emoji, reacted),
      jumpTo: (id) => goTo({ messageId: id }),
      ask: setDialog,
    }),
    // `runReaction` is a new function on each render, but always behaves the same.
    // oxlint-disable-next-line react/exhaustive-deps
    [conversation, chat, isBlocked, beginReply, beginEdit, goTo],
  );
  return (
    <ChatContext value={value}>
      <section className="chat" aria-label={conversation.name}>
        <ChatHeader />
        {opening.isReady ? (
          <History state={state} opening={opening} />
        ) : (
          <output className="nothing-chosen">{t('shared:starting')}</output>
        )}
        <TypingLine state={state} />
        {react.error !== undefined && <Problem error={react.error} text={undelivered} />}
        {opening.problem !== undefined && (
          <Problem
            error={opening.problem}
            text={opening.problem.code === 404 ? t('client:chat.messageGone') : undefined}
          />
        )}
        {isBlocked ? (
          <BlockedNote />
        ) : (
          <Composer
            composer={composer}
            onSent={() => {
              opening.forgetUnread();
              goTo('end');
            }}
          />
        )}
        {dialog !== undefined && <ChatDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}
      </section>
    </ChatContext>
  );
}
