import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useClientConfig } from '../../../shared/client-config';
import { ErrorMessage } from '../../../shared/error-message';
import { useServiceMutation } from '../../../shared/use-service-mutation';

/** Form that renames a group. */
export function RenameGroup({ conversation: { id, name } }: { conversation: ConversationResponse }) {
  const { t } = useTranslation('client');
  const field = useId();
  const [typed, setTyped] = useState(name);
  const limits = useClientConfig()?.limits;
  const rename = useServiceMutation(() =>
    callboard.conversations.change({ path: { id }, body: { name: typed.trim() } }),
  );
  return (
    <form
      className="row-form"
      onSubmit={(event) => {
        event.preventDefault();
        void rename.run();
      }}
    >
      <div>
        <label htmlFor={field}>{t('conversations.groupName')}</label>
        <input
          id={field}
          value={typed}
          required
          maxLength={limits?.conversation_name_length}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <button type="submit" disabled={rename.isPending || typed.trim() === '' || typed.trim() === name}>
        {t('conversations.rename')}
      </button>
      {rename.error !== undefined && <ErrorMessage error={rename.error} />}
    </form>
  );
}
