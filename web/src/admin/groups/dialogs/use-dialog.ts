import { useState } from 'react';
import type { DialogModal } from './dialog-modal';
import type { Dialog } from './group-dialogs';

/** State of the current dialog, which stays mounted until it has faded out. */
export function useDialog() {
  const [shown, setShown] = useState<{ dialog: Dialog; isOpen: boolean; number: number } | null>(null);
  const modal: DialogModal = {
    open: shown?.isOpen === true,
    onCancel: () => setShown((before) => before && { ...before, isOpen: false }),
    afterClose: () => {
      setShown(null);
      // The element that had the focus before may have been removed.
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
    },
  };
  return {
    dialog: shown?.dialog,
    /** A new key each time a dialog is opened, so that its state is reset. */
    key: shown?.number,
    modal,
    open: (dialog: Dialog) =>
      setShown((before) => ({ dialog, isOpen: true, number: (before?.number ?? 0) + 1 })),
  };
}
