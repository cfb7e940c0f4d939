import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../parts/confirm-dialog';
import { setBlocked } from './blocks';

interface Props {
  userId: number;
  name: string;
  /** Whether the user is blocked, so that the dialog unblocks. */
  isBlocked: boolean;
  onClose: () => void;
}

/** Confirms that a user is to be blocked or unblocked, with the consequences. */
export function BlockDialog({ userId, name, isBlocked, onClose }: Props) {
  const { t } = useTranslation('client');
  const title = t(isBlocked ? 'contacts.unblockName' : 'contacts.blockName', { name });
  return (
    <ConfirmDialog
      title={title}
      text={t(isBlocked ? 'contacts.unblockText' : 'contacts.blockText', { name })}
      confirm={title}
      act={() => setBlocked(userId, !isBlocked)}
      onClose={onClose}
    />
  );
}
