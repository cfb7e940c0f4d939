import { type RefObject, useEffect, useState } from 'react';
import type { CallboardError, NotificationResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Icon } from '../icons';
import { focusTitle } from './focus-title';

/** A notification that the user has moved out of the list, as it was before. */
export interface Moved {
  notification: NotificationResponse;
  title: string;
  to: 'archive' | 'snooze' | 'inbox';
}

export interface Undo {
  /** The last move, which can be undone; undefined: none. */
  moved: Moved | undefined;
  isPending: boolean;
  error: CallboardError | undefined;
  offer: (moved: Moved) => void;
  dismiss: () => void;
  run: () => Promise<void>;
}

/** Moves a notification back to where it was. */
function moveBack({ notification: { id, archived, snooze_until }, to }: Moved): Promise<unknown> {
  const path = { id };
  if (to !== 'inbox' && archived === 0) return callboard.notifications.restore({ path });
  return snooze_until === null
    ? callboard.notifications.archive({ path })
    : callboard.notifications.snooze({ path, body: { snooze_until } });
}

interface UndoState {
  moved?: Moved;
  /** The notification that receives the focus as soon as it is in the list again. */
  returning?: number;
}

/** Keeps the last move so that it can be undone. `list`: the element that receives the notification again. */
export function useUndo(list: RefObject<HTMLElement | null>): Undo {
  const [{ moved, returning }, setState] = useState<UndoState>({});
  const undoing = useServiceMutation(moveBack);
  useEffect(() => {
    const element = list.current;
    if (returning === undefined || element === null) return undefined;
    const focus = (): boolean => focusTitle(element.querySelector(`[data-id="${returning}"]`));
    if (focus()) return undefined;
    const observer = new MutationObserver(() => focus() && observer.disconnect());
    observer.observe(element, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [returning, list]);
  return {
    moved,
    isPending: undoing.isPending,
    error: undoing.error,
    offer: (next) => setState({ moved: next }),
    dismiss: () => setState({ returning }),
    run: async () => {
      if (moved === undefined || !(await undoing.run(moved))) return;
      // Another notification may have been moved meanwhile. That move is still offered, and the focus stays there.
      setState((latest) => (latest.moved === moved ? { returning: moved.notification.id } : latest));
    },
  };
}

/** Bar below the list with the last move. It stays until it is dismissed. */
export function UndoBar({ undo: { moved, isPending, dismiss, run } }: { undo: Undo }) {
  const { t } = useTranslation('client');
  return (
    <output className="undo">
      {moved !== undefined && (
        <>
          <span className="undo-text">{t(`notifications.moved.${moved.to}`, { title: moved.title })}</span>
          <button type="button" disabled={isPending} onClick={() => void run()}>
            {t('notifications.undo')}
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('notifications.dismiss')}
            onClick={dismiss}
          >
            <Icon name="close" size={20} />
          </button>
        </>
      )}
    </output>
  );
}
