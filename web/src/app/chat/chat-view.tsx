import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse, LiveMessages, MessageResponse, MessagesState } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { ErrorMessage } from '../../shared/error-message';
import { useUser } from '../../shared/sign-in/user-context';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { useIsBlocked } from '../contacts/blocks';
import { ChatSide } from '../lazy-parts';
import { LazyDialog } from '../parts/lazy-dialog';
import { BlockedNote } from './blocked-note';
import { type Chat, ChatContext, type ChatDialog } from './chat-context';
import { ChatHeader } from './chat-header';
import { Composer } from './composer/composer';
import { useComposer } from './composer/use-composer';
import { ChatDialogs } from './dialogs/chat-dialogs';
import { History } from './history/history';
import { TypingLine } from './history/typing-line';
import { useChatPosition } from './history/use-chat-position';
import { useSide } from './side/use-side';
import { uploads } from './uploads/uploads';
import { useFileDrop } from './uploads/use-file-drop';
import { useUndeliveredText } from './use-undelivered-text';

interface Props {
  conversation: ConversationResponse;
  chat: LiveMessages;
  state: MessagesState;
}

/** An open conversation: header, message history and composer. */
export function ChatView({ conversation, chat, state }: Props) {
  const { t } = useTranslation(['client', 'shared']);
  const [dialog, setDialog] = useState<ChatDialog>();
  const position = useChatPosition(conversation, chat, state);
  const { goTo } = position;
  const composer = useComposer(conversation.id);
  const react = useServiceMutation(
    (message: MessageResponse, emoji: string, reacted: boolean) =>
      callboard.messages.reactTo({ path: { id: message.id }, body: { emoji, reacted } }),
    { isSerial: true },
  );
  const { run: runReaction } = react;
  const undelivered = useUndeliveredText(conversation.is_group ? undefined : react.error);
  const { side, close: closeSide } = useSide();
  const isBlocked = useIsBlocked(conversation.peer_id);
  const limits = useClientConfig()?.limits;
  const { beginReply, beginEdit } = composer;
  const userId = useUser().id;
  const attach = (files: readonly File[]): void => uploads.attach(userId, conversation.id, files);
  const drop = useFileDrop(isBlocked || composer.editing !== undefined ? undefined : attach);
  const value = useMemo<Chat>(
    () => ({
      conversation,
      messages: chat,
      isBlocked,
      limits,
      reply: beginReply,
      edit: beginEdit,
      react: (message, emoji, reacted) => void runReaction(message, emoji, reacted),
      jumpTo: (id, how) => goTo({ messageId: id, ...how }),
      openDialog: setDialog,
    }),
    // `runReaction` is a new function on each render, but always behaves the same.
    // oxlint-disable-next-line react/exhaustive-deps
    [conversation, chat, isBlocked, limits, beginReply, beginEdit, goTo],
  );
  return (
    <ChatContext value={value}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- files can be attached by a button, too */}
      <section className="chat" aria-label={conversation.name} {...drop.handlers}>
        {drop.isOver && <div className="drop-zone">{t('client:chat.uploads.drop')}</div>}
        <ChatHeader />
        {position.isReady ? (
          <History state={state} position={position} />
        ) : (
          <output className="nothing-chosen">{t('shared:starting')}</output>
        )}
        <TypingLine state={state} />
        {react.error !== undefined && <ErrorMessage error={react.error} text={undelivered} />}
        {position.error !== undefined && (
          <ErrorMessage
            error={position.error}
            text={position.error.code === 404 ? t('client:chat.messageGone') : undefined}
          />
        )}
        {isBlocked ? (
          <BlockedNote />
        ) : (
          <Composer
            composer={composer}
            onAttach={attach}
            onSent={() => {
              position.clearUnread();
              goTo('end');
            }}
          />
        )}
        {dialog !== undefined && <ChatDialogs dialog={dialog} onClose={() => setDialog(undefined)} />}
      </section>
      {side !== undefined && (
        <LazyDialog>
          <ChatSide key={side} side={side} onClose={closeSide} />
        </LazyDialog>
      )}
    </ChatContext>
  );
}
