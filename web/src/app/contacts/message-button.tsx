import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { uniqueId } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { ErrorMessage } from '../../shared/error-message';
import { Icon } from '../icons';
import { useServiceMutation } from '../../shared/use-service-mutation';

/** Button that opens the single chat with a user and creates it if there is none. */
export function MessageButton({ userId, isDisabled = false }: { userId: number; isDisabled?: boolean }) {
  const { t } = useTranslation('client');
  const [, navigate] = useLocation();
  const [idempotencyKey] = useState(uniqueId);
  const { run, isPending, error } = useServiceMutation(
    () => callboard.conversations.create({ body: { type: 'single', peer_id: userId }, idempotencyKey }),
    { onDone: ({ id }) => navigate(`/conversations/${id}`) },
  );
  return (
    <>
      <button
        type="button"
        className="with-icon"
        disabled={isDisabled || isPending}
        onClick={() => void run()}
      >
        <Icon name="conversations" />
        {t('contacts.message')}
      </button>
      {error !== undefined && <ErrorMessage error={error} />}
    </>
  );
}
