import type { NotificationResponse } from '@callboard/client';
import { type FocusEvent, type PointerEvent, type UIEvent, useState } from 'react';

/** What tells whether somebody reads: for the element that scrolls. */
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
  /** How many newer ones wait. */
  held: number;
  show: () => void;
  reading: Reading;
}

/** Keeps the list still under its reader: while somebody points at it, is in it or has scrolled down, newer ones wait. */
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
