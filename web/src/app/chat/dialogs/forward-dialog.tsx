import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MessageResponse, uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { Dialog } from '../../parts/dialog';
import { PeopleSearch } from '../../parts/people-search';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUndeliveredText } from '../use-undelivered-text';

interface Props {
  message: MessageResponse;
  onClose: () => void;
  /** Receives the id of the conversation to which the message was sent. */
  onSent: (conversationId: number) => void;
}

/** Dialog that forwards a message to another conversation. */
export function ForwardDialog({ message, onClose, onSent }: Props) {
  const { t } = useTranslation('client');
  // A retry after a lost response does not send the message twice.
  const [key] = useState(uniqueId);
  const send = async (id: number): Promise<void> => {
    await callboard.messages.send({
      path: { id },
      body: { forward_id: message.id, client_msg_id: key },
    });
    onSent(id);
  };
  const forward = useServiceMutation(send);
  const forwardToPerson = useServiceMutation(async (personId: number) => {
    const { id } = await callboard.conversations.create({ body: { type: 'single', peer_id: personId } });
    await send(id);
  });
  const error = forward.error ?? forwardToPerson.error;
  const undelivered = useUndeliveredText(error);
  const isRunning = forward.isPending || forwardToPerson.isPending;
  const button = (name: string, act: () => Promise<boolean>) => (
    <button
      type="button"
      aria-label={t('chat.forwardToName', { name })}
      disabled={isRunning}
      onClick={() => void act()}
    >
      {t('chat.forward')}
    </button>
  );
  return (
    <Dialog title={t('chat.forwardTo')} onClose={onClose}>
      {error !== undefined && <ErrorMessage error={error} text={undelivered} />}
      <PeopleSearch
        label={t('conversations.searchChats')}
        renderChatAction={({ id, name }) => button(name, () => forward.run(id))}
        renderAction={({ id, name }) => button(name, () => forwardToPerson.run(id))}
      />
    </Dialog>
  );
}
