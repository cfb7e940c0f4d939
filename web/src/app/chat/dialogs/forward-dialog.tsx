import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MessageResponse, uniqueId } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { Picture } from '../../../shared/picture';
import { Problem } from '../../../shared/problem';
import { useLive } from '../../live';
import { Dialog } from '../../parts/dialog';
import { useAct } from '../../../shared/use-act';

interface Props {
  message: MessageResponse;
  onClose: () => void;
  /** Told where it was sent to. */
  onSent: (conversationId: number) => void;
}

/** Sends a message once more, in another conversation. */
export function ForwardDialog({ message, onClose, onSent }: Props) {
  const { t } = useTranslation('client');
  const { conversations: list, conversationsState: state } = useLive();
  // A repeat after a lost answer sends nothing twice.
  const [key] = useState(uniqueId);
  const forward = useAct(async (id: number) => {
    await callboard.messages.send({
      path: { id },
      body: { forward_id: message.id, client_msg_id: key },
    });
    onSent(id);
  });
  return (
    <Dialog title={t('chat.forwardTo')} onClose={onClose}>
      {forward.error !== undefined && <Problem error={forward.error} />}
      <ul className="plain-list">
        {state?.conversations.map(({ id, name, avatar }) => (
          <li key={id}>
            <Picture name={name} url={avatar} />
            <span className="grow">{name}</span>
            <button
              type="button"
              aria-label={t('chat.forwardToName', { name })}
              disabled={forward.isRunning}
              onClick={() => void forward.run(id)}
            >
              {t('chat.forward')}
            </button>
          </li>
        ))}
      </ul>
      {state?.hasMore === true && (
        <button type="button" onClick={() => void list?.loadMore()}>
          {t('conversations.more')}
        </button>
      )}
    </Dialog>
  );
}
