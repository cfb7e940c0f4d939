import { type ReactNode, useLayoutEffect, useRef } from 'react';
import './call-window.css';

interface Props {
  label: string;
  /** `full`: whole window; `card`: above the page; `bar`: leaves the page usable; `note`: beside the page. */
  look: 'full' | 'card' | 'bar' | 'note';
  onEscape?: () => void;
  children: ReactNode;
}

/**
 * Frame of the views of a call. `full` and `card` are modal and take the focus, so that a key meant for the page cannot answer the
 * call; `bar` and `note` are not. When the frame closes, the focus returns to where it was.
 */
export function CallFrame({ label, look, onEscape, children }: Props) {
  const frame = useRef<HTMLDialogElement>(null);
  const isModal = look === 'full' || look === 'card';
  useLayoutEffect(() => {
    const dialog = frame.current;
    if (dialog === null) return undefined;
    if (isModal) {
      dialog.showModal();
      dialog.focus();
    } else dialog.open = true;
    return () => dialog.close();
  }, [isModal]);
  // The focused element may have been removed: keep the focus in the dialog.
  useLayoutEffect(() => {
    const dialog = frame.current;
    if (isModal && dialog?.contains(document.activeElement) === false) dialog.focus();
  });
  return (
    <dialog
      ref={frame}
      className={`call ${look}`}
      aria-label={label}
      tabIndex={-1}
      onCancel={(event) => {
        event.preventDefault();
        onEscape?.();
      }}
    >
      {children}
    </dialog>
  );
}
