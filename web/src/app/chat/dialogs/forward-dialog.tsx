import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallboardError, type MessageResponse, uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { toCallboardError } from '../../../shared/session';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { Dialog } from '../../parts/dialog';
import { PeoplePicker } from '../../picker/people-picker';
import { keyOf, type Target } from '../../picker/use-targets';
import { useUndeliveredText } from '../use-undelivered-text';

/** Maximum number of chats to which a message is forwarded at once. */
const MAX_TARGETS = 20;

interface Props {
  message: MessageResponse;
  onClose: () => void;
  /** Receives the id of the conversation if the message was sent to a single one. */
  onSent: (conversationId: number | undefined) => void;
}

/** Dialog that forwards a message to chats and people. If some sends fail, the failed ones stay selected for a retry. */
export function ForwardDialog({ message, onClose, onSent }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const [chosen, setChosen] = useState<readonly Target[]>([]);
  const [failed, setFailed] = useState<CallboardError>();
  const [sent, setSent] = useState<readonly Target[]>([]);
  // A retry after a lost response does not send the message twice.
  const ids = useRef(new Map<string, string>());
  const send = async (target: Target): Promise<number> => {
    const id = target.kind === 'chat' ? target.id : await openSingleChat(target.id);
    const clientMsgId = ids.current.get(keyOf(target)) ?? uniqueId();
    ids.current.set(keyOf(target), clientMsgId);
    await callboard.messages.send({
      path: { id },
      body: { forward_id: message.id, client_msg_id: clientMsgId },
    });
    return id;
  };
  /** Returns whether all chats have the message, and the conversation if there is one only. */
  const sendAll = async () => {
    setFailed(undefined);
    const left: Target[] = [];
    let conversationId: number | undefined;
    for (const target of chosen)
      try {
        conversationId = await send(target);
        setSent((before) => [...before, target]);
      } catch (error) {
        left.push(target);
        setFailed(toCallboardError(error));
      }
    setChosen(left);
    const isSingle = chosen.length + sent.length === 1;
    return { isComplete: left.length === 0, onlyId: isSingle ? conversationId : undefined };
  };
  const forward = useServiceMutation(sendAll, {
    onDone: ({ isComplete, onlyId }) => isComplete && onSent(onlyId),
  });
  const undelivered = useUndeliveredText(failed);
  const namesOf = (targets: readonly Target[]): string =>
    targets.map(({ name }) => name).join(t('client:chat.and'));
  return (
    <Dialog title={t('client:chat.forwardTo')} onClose={onClose}>
      {failed !== undefined && (
        <>
          {sent.length > 0 && <p>{t('find:picker.forwarded', { names: namesOf(sent) })}</p>}
          <p>{t('find:picker.notForwarded', { names: namesOf(chosen) })}</p>
          <ErrorMessage error={failed} text={undelivered} />
        </>
      )}
      <div inert={forward.isPending}>
        <PeoplePicker
          label={t('client:conversations.searchChats')}
          source="chats"
          max={MAX_TARGETS}
          chosen={chosen}
          onChange={setChosen}
        />
      </div>
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={chosen.length === 0 || forward.isPending}
          onClick={() => void forward.run()}
        >
          {chosen.length === 0
            ? t('client:chat.forward')
            : t('find:picker.forward', { count: chosen.length })}
        </button>
      </div>
    </Dialog>
  );
}

async function openSingleChat(userId: number): Promise<number> {
  const { id } = await callboard.conversations.create({ body: { type: 'single', peer_id: userId } });
  return id;
}
