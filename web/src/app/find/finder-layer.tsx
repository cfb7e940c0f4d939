import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Finder } from '../lazy-parts';
import { LazyDialog } from '../parts/lazy-dialog';

const OpenContext = createContext<() => void>(() => undefined);

/** Returns the function that opens the search of chats, people and messages. */
export const useOpenFinder = (): (() => void) => useContext(OpenContext);

/** Opens the search by Ctrl-K or Cmd-K on any screen; not above another dialog or a call. */
export function FinderLayer({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  /** Path at which the search was opened; undefined: it is closed. */
  const [openedAt, setOpenedAt] = useState<string>();
  const open = useCallback(() => setOpenedAt(path), [path]);
  const close = useCallback(() => setOpenedAt(undefined), []);
  // Another screen must not open below the search, as by a click on a notification.
  if (openedAt !== undefined && openedAt !== path) setOpenedAt(undefined);
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
      {openedAt === path && (
        <LazyDialog>
          <Finder onClose={close} />
        </LazyDialog>
      )}
    </OpenContext>
  );
}
