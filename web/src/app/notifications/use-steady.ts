import type { NotificationResponse } from '@callboard/client';
import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react';

/** Event handlers for the scrolling element that detect whether the user is reading. */
interface Reading {
  onPointerEnter: () => void;
  onPointerLeave: (event: PointerEvent<HTMLElement>) => void;
  onFocus: () => void;
  onBlur: (event: FocusEvent<HTMLElement>) => void;
  onScroll: (event: UIEvent<HTMLElement>) => void;
}

const isPassedBy = (list: HTMLElement): boolean => list.scrollTop === 0 && !list.matches(':hover');

interface Steady {
  shown: readonly NotificationResponse[];
  /** Number of newer notifications that are not shown yet. */
  held: number;
  show: () => void;
  reading: Reading;
}

/** Pauses the list while the user points at it, has the focus in it or has scrolled down: newer notifications are held back. */
export function useSteady(notifications: readonly NotificationResponse[]): Steady {
  const [frozenAt, setFrozenAt] = useState<number>();
  const freeze = (): void => setFrozenAt((before) => before ?? notifications[0]?.id);
  const show = (): void => setFrozenAt(undefined);

  const shown = frozenAt === undefined ? notifications : notifications.filter(({ id }) => id <= frozenAt);
  return {
    shown,
    held: notifications.length - shown.length,
    show,
    reading: {
      onPointerEnter: freeze,
      onPointerLeave: ({ currentTarget: list }) =>
        list.scrollTop === 0 && !list.contains(document.activeElement) && show(),
      onFocus: freeze,
      onBlur: ({ currentTarget: list, relatedTarget }) =>
        isPassedBy(list) && !list.contains(relatedTarget) && show(),
      onScroll: ({ currentTarget: list }) => {
        if (list.scrollTop > 0) freeze();
        else if (isPassedBy(list) && !list.contains(document.activeElement)) show();
      },
    },
  };
}
