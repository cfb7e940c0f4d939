import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserResponse } from '@callboard/client';
import { restoreFocus } from '../parts/focus';
import { SignInForm } from './sign-in-form';

/** Dialog that asks a user whose session has ended to sign in again, above the page. */
export function SignInAgain({ user }: { user: UserResponse }) {
  const { t } = useTranslation();
  const title = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    const before = document.activeElement;
    opened?.showModal();
    return () => {
      opened?.close();
      restoreFocus(before);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-labelledby={title}
      // The dialog cannot be dismissed: without a session the page is of no use.
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      // Browsers without `closedby` close it at a second Escape or at Android's Back button.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal();
      }}
    >
      <h2 id={title}>{t('signIn.ended')}</h2>
      <SignInForm demo={null} account={user.account ?? ''} />
    </dialog>
  );
}
