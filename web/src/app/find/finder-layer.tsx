import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { Finder } from '../lazy-parts';
import { LazyDialog } from '../parts/lazy-dialog';

const OpenContext = createContext<() => void>(() => undefined);

/** Returns the function that opens the search of chats, people and messages. */
export const useOpenFinder = (): (() => void) => useContext(OpenContext);

/** Opens the search by Ctrl-K or Cmd-K on any screen; not above another dialog or a call. */
export function FinderLayer({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (document.querySelector('dialog:modal') === null) open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [open]);
  return (
    <OpenContext value={open}>
      {children}
      {isOpen && (
        <LazyDialog>
          <Finder onClose={close} />
        </LazyDialog>
      )}
    </OpenContext>
  );
}
