import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { CallboardError, MessagesState } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';
import { useOpenChat } from '../chat-context';
import type { Row } from './rows';
import { useIsAtEnd } from './use-is-at-end';
import type { ChatPosition } from './use-chat-position';

/** Height of a message of one line; others are measured when they are rendered. */
const ESTIMATE_PX = 37;
const OVERSCAN = 10;
/** Maximum distance from the end that counts as at the end. */
const AT_END_PX = 48;
/** More messages are fetched this many rows before an end of the loaded ones. */
const NEAR_ROWS = 20;

interface Options {
  log: RefObject<HTMLDivElement | null>;
  rows: readonly Row[];
  state: MessagesState;
  position: ChatPosition;
  activeKey: string | undefined;
  /** Receives the key of the row that was jumped to. */
  onArrive: (key: string) => void;
}

interface HistoryScroll {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Ref callback of each row that measures its height. */
  measure: (row: Element | null) => void;
  /** Whether the newest message is visible. */
  isAtEnd: boolean;
  /** Whether the unread divider is above the visible rows. */
  isUnreadAbove: boolean;
  /** Key of the row that was jumped to. */
  targetKey: string | undefined;
  isLoading: boolean;
  error: CallboardError | undefined;
  retry: () => void;
  focus: (key: string, index: number) => void;
}

/** Virtualises the history: selects and positions the rendered rows, and fetches more messages on scrolling. */
export function useHistoryScroll({
  log,
  rows,
  state,
  position,
  activeKey,
  onArrive,
}: Options): HistoryScroll {
  const { target, unread } = position;
  const [targetKey, setTargetKey] = useState<string>();
  const [fulfilled, setFulfilled] = useState<ChatPosition['target']>();
  const activeIndex = activeKey === undefined ? -1 : rows.findIndex(({ key }) => key === activeKey);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => log.current,
    // A new function would make the library measure all rows again.
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: () => ESTIMATE_PX,
    overscan: OVERSCAN,
    // Rows that are added above do not move the visible ones.
    anchorTo: 'end',
    followOnAppend: useWasAtNewest(state),
    scrollEndThreshold: AT_END_PX,
    // The focused row must stay rendered.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), activeIndex),
  });
  // Size changes above the top of the viewport do not move the visible rows, also while the user scrolls up.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = ({ start }, _, { scrollOffset }) =>
    start <= (scrollOffset ?? 0);
  // During scrolling the library defers measuring to the next frame; until then rows would be at their estimated positions.
  const measure = useCallback(
    (row: Element | null): void => {
      const { isScrolling } = virtualizer;
      virtualizer.isScrolling = false;
      virtualizer.measureElement(row);
      virtualizer.isScrolling = isScrolling;
    },
    [virtualizer],
  );
  const unreadIndex = rows.findIndex(({ kind }) => kind === 'unread');
  const range = virtualizer.range;

  useLayoutEffect(() => {
    if (fulfilled === target) return;
    const { position } = target;
    if (typeof position === 'object') {
      const index = rows.findIndex((row) => row.kind === 'message' && row.message.id === position.messageId);
      const row = rows[index];
      if (row === undefined) return;
      virtualizer.scrollToIndex(index, { align: 'center' });
      // oxlint-disable-next-line react/set-state-in-effect -- the target is known only after scrolling
      setTargetKey(row.key);
      onArrive(row.key);
      if (position.keepsFocus !== true) focusSoon(log.current, row.key);
    } else if (position === 'unread' && unreadIndex >= 0)
      virtualizer.scrollToIndex(unreadIndex, { align: 'start' });
    else virtualizer.scrollToEnd();
    setFulfilled(target);
  }, [target, fulfilled, rows, unreadIndex, virtualizer, log, onArrive]);

  const isAtEnd = useIsAtEnd(log, AT_END_PX);
  // The library compares the current height with the offset of the last scroll event, so it would not follow a message that arrives
  // while the composer grows.
  virtualizer.isAtEnd = () => isAtEnd;
  const paging = usePaging(state, {
    nearOldest: range !== null && fulfilled !== undefined && range.startIndex < NEAR_ROWS,
    nearNewest: range !== null && fulfilled !== undefined && range.endIndex >= rows.length - NEAR_ROWS,
  });
  const focus = useCallback(
    (key: string, index: number): void => {
      virtualizer.scrollToIndex(index, { align: 'auto' });
      focusSoon(log.current, key);
    },
    [virtualizer, log],
  );
  return {
    virtualizer,
    measure,
    isAtEnd: fulfilled !== undefined && !state.hasNewer && isAtEnd,
    isUnreadAbove:
      range !== null &&
      (unreadIndex < 0 ? state.hasOlder && unread !== undefined : unreadIndex < range.startIndex),
    targetKey,
    ...paging,
    focus,
  };
}

/**
 * Whether the newest messages were loaded at the previous render already. New messages are followed only then: loading the newest
 * page by scrolling causes no jump.
 */
function useWasAtNewest({ hasNewer }: MessagesState): boolean {
  const [wasAtNewest, setWasAtNewest] = useState(!hasNewer);
  // oxlint-disable-next-line react/set-state-in-effect -- the value lags one render behind on purpose
  useEffect(() => setWasAtNewest(!hasNewer), [hasNewer]);
  return wasAtNewest && !hasNewer;
}

function usePaging(
  { messages, hasOlder, hasNewer }: MessagesState,
  { nearOldest, nearNewest }: { nearOldest: boolean; nearNewest: boolean },
): Pick<HistoryScroll, 'isLoading' | 'error' | 'retry'> {
  const { messages: chat } = useOpenChat();
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<CallboardError>();
  const wants = hasOlder && nearOldest ? 'older' : hasNewer && nearNewest ? 'newer' : undefined;
  const edge = wants === 'older' ? messages.at(-1)?.id : messages[0]?.id;
  useEffect(() => {
    if (wants === undefined || edge === undefined || error !== undefined || isLoading) return;
    // oxlint-disable-next-line react/set-state-in-effect -- the scroll position decides what is fetched
    setLoading(true);
    void (wants === 'older' ? chat.loadOlder() : chat.loadNewer())
      .catch((error: unknown) => setError(toCallboardError(error)))
      .finally(() => setLoading(false));
  }, [wants, edge, error, chat, isLoading]);
  const retry = useCallback(() => setError(undefined), []);
  return { isLoading, error, retry };
}

const withIndex = (indexes: number[], index: number): number[] =>
  index < 0 || indexes.includes(index) ? indexes : [...indexes, index].toSorted((a, b) => a - b);

const FRAMES = 20;

/** Focuses a row as soon as it is rendered; gives up after `frames` animation frames. */
function focusSoon(log: HTMLElement | null, key: string, frames = FRAMES): void {
  const found = log?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (found !== null && found !== undefined) found.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusSoon(log, key, frames - 1));
}
