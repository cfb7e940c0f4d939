import type { NotificationResponse } from '@callboard/client';
import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react';

/** Event handlers for the scrolling element that detect whether the user is reading. */
interface ReadingHandlers {
  onPointerEnter: () => void;
  onPointerLeave: (event: PointerEvent<HTMLElement>) => void;
  onFocus: () => void;
  onBlur: (event: FocusEvent<HTMLElement>) => void;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

const isAtTopUnhovered = (list: HTMLElement): boolean => list.scrollTop === 0 && !list.matches(':hover');

interface PausedList {
  shown: readonly NotificationResponse[];
  /** Number of newer notifications that are not shown yet. */
  pendingCount: number;
  resume: () => void;
  handlers: ReadingHandlers;
}

/** Pauses the list while the user points at it, has the focus in it or has scrolled down: newer notifications are held back. */
export function usePausedList(notifications: readonly NotificationResponse[]): PausedList {
  const [pausedAt, setPausedAt] = useState<number>();
  const pause = (): void => setPausedAt((before) => before ?? notifications[0]?.id);
  const resume = (): void => setPausedAt(undefined);

  const shown = pausedAt === undefined ? notifications : notifications.filter(({ id }) => id <= pausedAt);
  return {
    shown,
    pendingCount: notifications.length - shown.length,
    resume,
    handlers: {
      onPointerEnter: pause,
      onPointerLeave: ({ currentTarget: list }) =>
        list.scrollTop === 0 && !list.contains(document.activeElement) && resume(),
      onFocus: pause,
      onBlur: ({ currentTarget: list, relatedTarget }) =>
        isAtTopUnhovered(list) && !list.contains(relatedTarget) && resume(),
      onScroll: ({ currentTarget: list }) => {
        if (list.scrollTop > 0) pause();
        else if (isAtTopUnhovered(list) && !list.contains(document.activeElement)) resume();
      },
    },
  };
}
