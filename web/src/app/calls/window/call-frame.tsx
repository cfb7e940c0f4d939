import { type ReactNode, useLayoutEffect, useRef } from 'react';
import './call-window.css';

interface Props {
  label: string;
  /** The whole window; a card above the page; a bar that leaves the page to itself. */
  look: 'full' | 'card' | 'bar' | 'note';
  onEscape?: () => void;
  children: ReactNode;
}

/**
 * What is seen of a call. `full` and `card` keep the rest of the page out of reach, with the focus on themselves, so that a key
 * that was meant for the page answers nothing; `bar` and `note` do not. Gone, the focus is back where it came from.
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
  // What had the focus may be gone.
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
