import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../shared/error-message';
import { Dialog } from './dialog';
import { useServiceMutation } from '../../shared/use-service-mutation';

interface Props {
  title: string;
  text: string;
  /** Label of the button that performs the action. */
  confirm: string;
  act: () => Promise<unknown>;
  onClose: () => void;
  /** Called after the action if the dialog is still open. */
  onDone?: () => void;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({ title, text, confirm, act, onClose, onDone }: Props) {
  const { t } = useTranslation('client');
  const { run, isPending, error } = useServiceMutation(act, {
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error !== undefined && <ErrorMessage error={error} />}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {t('chat.cancel')}
        </button>
        <button type="button" className="dangerous" disabled={isPending} onClick={() => void run()}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
