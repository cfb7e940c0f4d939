import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Returns whether the end of the history is in sight, within `thresholdPx` pixels. Keeps the distance from the end when the height
 * of the history changes, as by a keyboard, a reply bar, a call bar or a long draft, so that the newest message stays visible.
 *
 * A message that is appended while the end is in sight is followed in the same layout, so the value never changes in between: it
 * returns whether the end was in sight before the append.
 */
export function useIsAtEnd(log: RefObject<HTMLElement | null>, thresholdPx: number): boolean {
  const [isAtEnd, setAtEnd] = useState(true);
  const distance = useRef(0);
  /** Height at which `distance` was measured. After a change of height the observer scrolls first. */
  const height = useRef<number>(undefined);

  const measure = useEffectEvent((): void => {
    const element = log.current;
    if (element === null || element.clientHeight !== height.current) return;
    distance.current = element.scrollHeight - element.scrollTop - element.clientHeight;
    setAtEnd(distance.current <= thresholdPx);
  });

  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    height.current = element.clientHeight;
    const listen = (): void => measure();
    // Before the listener of the virtualiser, which renders synchronously: afterwards the layout would have to be computed twice.
    element.addEventListener('scroll', listen, { passive: true, capture: true });
    const observer = new ResizeObserver(() => {
      if (element.clientHeight === height.current) return;
      height.current = element.clientHeight;
      element.scrollTop = element.scrollHeight - element.clientHeight - distance.current;
    });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', listen, { capture: true });
      observer.disconnect();
    };
  }, [log]);
  // After each render: rows were added or remeasured.
  useLayoutEffect(() => measure());
  return isAtEnd;
}
