import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConversationRow } from './conversation-row';
import type { Rows } from './conversation-list';

const ROW_PX = 68;
const OVERSCAN = 10;

/** Chat list of which only the visible rows are rendered. The scroll container is the nearest `.list-body`. */
export function VirtualConversations({ conversations, openId, presence }: Rows) {
  const { t } = useTranslation('client');
  const list = useRef<HTMLUListElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const body = element?.closest('.list-body');
    if (element === null || body === null || body === undefined) return;
    // Height of what is above the list.
    // oxlint-disable-next-line react/set-state-in-effect -- known only after layout
    setMargin(element.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop);
  }, []);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by a compiler
  const virtualizer = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => list.current?.closest('.list-body') ?? null,
    // A new function would make the library measure all rows again.
    getItemKey: useCallback((index: number) => conversations[index]?.id ?? index, [conversations]),
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  const items = virtualizer.getVirtualItems();
  const start = items[0]?.start ?? margin;
  const end = items.at(-1)?.end ?? margin;
  return (
    <ul
      ref={list}
      className="conversations"
      aria-label={t('conversations.list')}
      style={{ paddingTop: start - margin, paddingBottom: virtualizer.getTotalSize() - (end - margin) }}
    >
      {items.map(({ index, key }) => {
        const conversation = conversations[index];
        return conversation === undefined ? null : (
          <ConversationRow
            key={key}
            conversation={conversation}
            isOpen={conversation.id === openId}
            presence={presence.get(conversation.peer_id ?? 0)}
            index={index}
            count={conversations.length}
            measure={virtualizer.measureElement}
          />
        );
      })}
    </ul>
  );
}
