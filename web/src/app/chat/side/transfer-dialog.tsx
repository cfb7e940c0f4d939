import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUser } from '../../../shared/sign-in/user-context';
import { Dialog } from '../../parts/dialog';
import { PeoplePicker } from '../../picker/people-picker';
import type { Target } from '../../picker/use-targets';

interface Props {
  conversationId: number;
  onDone: () => void;
  onClose: () => void;
}

/** Dialog in which the owner of a group chooses its next owner among all members. */
export function TransferDialog({ conversationId, onDone, onClose }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const userId = useUser().id;
  const [chosen, setChosen] = useState<readonly Target[]>([]);
  const [owner] = chosen;
  const transfer = useServiceMutation(
    async (id: number) => {
      await callboard.conversations.changeOwner({ path: { id: conversationId }, body: { user_id: id } });
      onDone();
    },
    { onDone: onClose },
  );
  return (
    <Dialog title={t('find:transferTitle')} onClose={onClose}>
      <PeoplePicker
        label={t('find:transferTo')}
        source={{ membersOf: conversationId }}
        max={1}
        chosen={chosen}
        onChange={setChosen}
        without={new Set([userId])}
      />
      {owner !== undefined && <p>{t('client:conversations.makeOwnerText', { name: owner.name })}</p>}
      {transfer.error !== undefined && <ErrorMessage error={transfer.error} />}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {t('client:chat.cancel')}
        </button>
        {owner !== undefined && (
          <button
            type="button"
            className="dangerous"
            disabled={transfer.isPending}
            onClick={() => void transfer.run(owner.id)}
          >
            {t('find:chooseOwner', { name: owner.name })}
          </button>
        )}
      </div>
    </Dialog>
  );
}
