import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { Dialog } from '../../parts/dialog';
import { PeoplePicker } from '../../picker/people-picker';
import type { Target } from '../../picker/use-targets';

interface Props {
  conversationId: number;
  /** User ids of the loaded members, who are not offered. */
  memberIds: ReadonlySet<number>;
  onAdded: () => void;
  onClose: () => void;
}

/** Dialog that adds the chosen people to a group. */
export function AddMembers({ conversationId, memberIds, onAdded, onClose }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const [chosen, setChosen] = useState<readonly Target[]>([]);
  const add = useServiceMutation(
    async () => {
      const user_ids = chosen.map(({ id }) => id);
      await callboard.conversations.addMembers({ path: { id: conversationId }, body: { user_ids } });
      onAdded();
    },
    { onDone: onClose },
  );
  return (
    <Dialog title={t('client:conversations.addMembers')} onClose={onClose}>
      <PeoplePicker
        label={t('client:conversations.searchLabel')}
        source="people"
        chosen={chosen}
        onChange={setChosen}
        without={memberIds}
      />
      {add.error !== undefined && <ErrorMessage error={add.error} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={chosen.length === 0 || add.isPending}
          onClick={() => void add.run()}
        >
          {chosen.length === 0 ? t('find:picker.addNone') : t('find:picker.add', { count: chosen.length })}
        </button>
      </div>
    </Dialog>
  );
}
