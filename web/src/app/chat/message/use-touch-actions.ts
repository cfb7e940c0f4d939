import { type PointerEvent, type TouchEvent, useRef } from 'react';

/** Time after which a touch counts as a long press. */
const LONG_PRESS_MS = 450;
/** Movement that ends a long press: fingers tremble. */
const TREMBLE_PX = 10;
/** Distance after which a swipe replies, and the largest one that is shown. */
const SWIPE_PX = 56;
const MAX_SWIPE_PX = 72;
const BUZZ_MS = 10;

interface Options {
  /** Undefined: swiping does nothing. */
  onSwipe: (() => void) | undefined;
  onLongPress: () => void;
}

interface Touch {
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
  isLong: boolean;
  isSwipe: boolean;
}

type PointerHandlers = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
  (event: PointerEvent<HTMLElement>) => void
>;

interface Handlers extends PointerHandlers {
  onTouchEnd: (event: TouchEvent<HTMLElement>) => void;
  onContextMenu: (event: { preventDefault: () => void }) => void;
}

/**
 * Returns the handlers of a message on a touch screen: a swipe to the right replies, a long press opens the menu. Scrolling stays
 * the browser's (`touch-action: pan-y`), and mouse and pen are ignored.
 */
export function useTouchActions({ onSwipe, onLongPress }: Options): Handlers {
  const touch = useRef<Touch>(undefined);
  const wasLong = useRef(false);
  const end = (element: HTMLElement): Touch | undefined => {
    const ended = touch.current;
    touch.current = undefined;
    clearTimeout(ended?.timer);
    element.style.removeProperty('--swipe');
    delete element.dataset.pressed;
    return ended;
  };
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX: x, clientY: y, currentTarget }) => {
      if (pointerType !== 'touch' || !isPrimary) return;
      const timer = setTimeout(() => {
        if (touch.current === undefined) return;
        touch.current.isLong = true;
        currentTarget.dataset.pressed = '';
        // Not in Safari.
        navigator.vibrate?.(BUZZ_MS);
      }, LONG_PRESS_MS);
      touch.current = { x, y, timer, isLong: false, isSwipe: false };
    },
    onPointerMove: ({ clientX, clientY, currentTarget }) => {
      const { current } = touch;
      if (current === undefined || current.isLong) return;
      const [right, down] = [clientX - current.x, Math.abs(clientY - current.y)];
      if (Math.abs(right) > TREMBLE_PX || down > TREMBLE_PX) clearTimeout(current.timer);
      if (onSwipe === undefined || (!current.isSwipe && (right <= TREMBLE_PX || down > right))) return;
      current.isSwipe = true;
      const shown = Math.min(Math.max(right, 0), MAX_SWIPE_PX);
      currentTarget.style.setProperty('--swipe', `${shown}px`);
    },
    onPointerUp: ({ clientX, currentTarget }) => {
      const ended = end(currentTarget);
      wasLong.current = ended?.isLong === true;
      if (ended?.isSwipe === true && clientX - ended.x >= SWIPE_PX) onSwipe?.();
    },
    onTouchEnd: (event) => {
      if (!wasLong.current) return;
      wasLong.current = false;
      // The mouse events that follow a touch would close the menu.
      event.preventDefault();
      onLongPress();
    },
    onPointerCancel: ({ currentTarget }) => void end(currentTarget),
    onContextMenu: (event) => {
      if (touch.current !== undefined) event.preventDefault();
    },
  };
}
