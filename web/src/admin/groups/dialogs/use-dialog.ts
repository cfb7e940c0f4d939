import { useState } from 'react';
import type { DialogModal } from './dialog-modal';
import type { Dialog } from './group-dialogs';

/** The dialog that is open, or was until a moment ago. */
export function useDialog() {
  const [shown, setShown] = useState<{ dialog: Dialog; isOpen: boolean; number: number } | null>(null);
  const modal: DialogModal = {
    open: shown?.isOpen === true,
    onCancel: () => setShown((before) => before && { ...before, isOpen: false }),
    afterClose: () => {
      setShown(null);
      // Whatever had the focus before may be gone now.
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
    },
  };
  return {
    dialog: shown?.dialog,
    /** Another one for each time that a dialog is opened. */
    key: shown?.number,
    modal,
    open: (dialog: Dialog) =>
      setShown((before) => ({ dialog, isOpen: true, number: (before?.number ?? 0) + 1 })),
  };
}
