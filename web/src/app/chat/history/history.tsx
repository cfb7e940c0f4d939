import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessagesState } from '@callboard/client';
import { ErrorMessage } from '../../../shared/error-message';
import { useFormat } from '../../format';
import { useOpenChat } from '../chat-context';
import { usePendingMessages } from '../uploads/use-uploads';
import { Announcer } from './announcer';
import { HistoryRow } from './history-row';
import { JumpButtons } from './jump-buttons';
import { buildRows } from './rows';
import { useHistoryScroll } from './use-history-scroll';
import type { ChatPosition } from './use-chat-position';
import { useMarkRead } from './use-mark-read';
import './history.css';

interface Props {
  state: MessagesState;
  position: ChatPosition;
}

/** Virtualised message history of a chat; more messages are fetched on scrolling. */
export function History({ state, position }: Props) {
  const { t } = useTranslation(['client', 'shared']);
  const { conversation } = useOpenChat();
  const format = useFormat();
  const log = useRef<HTMLDivElement>(null);
  const pending = usePendingMessages(conversation.id, state.pending);
  const [activeKey, setActiveKey] = useState<string>();
  const rows = useMemo(
    () => buildRows({ ...state, pending }, position.unread, format.date),
    [state, pending, position.unread, format],
  );
  const scroll = useHistoryScroll({
    log,
    rows,
    state,
    position,
    activeKey,
    onArrive: setActiveKey,
  });
  const { virtualizer } = scroll;
  useMarkRead(conversation, state, { isAtEnd: scroll.isAtEnd, onUnseen: position.updateUnread });

  const focusRow = (index: number, direction: 1 | -1): void => {
    let to = index;
    while (rows[to]?.kind === 'date' || rows[to]?.kind === 'unread') to += direction;
    const row = rows[to];
    if (row === undefined) return;
    setActiveKey(row.key);
    scroll.focus(row.key, to);
  };
  const move = (event: KeyboardEvent): void => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset.key !== undefined;
    if (event.target !== log.current && !isRow) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 } as const;
    const step = steps[event.key as keyof typeof steps];
    if (step === undefined) return;
    event.preventDefault();
    const current = isRow ? rows.findIndex(({ key }) => key === activeKey) : -1;
    focusRow(current < 0 ? (virtualizer.range?.endIndex ?? 0) : current + step, step);
  };

  return (
    <div className="history">
      {scroll.error !== undefined && (
        <div className="history-problem">
          <ErrorMessage error={scroll.error} />
          <button type="button" onClick={scroll.retry}>
            {t('shared:retry')}
          </button>
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between messages */}
      <div
        ref={log}
        role="log"
        // Rows that scroll into view are not new. `Announcer` reads out new messages.
        aria-live="off"
        aria-label={t('client:chat.history')}
        aria-busy={scroll.isLoading}
        className="log"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
        onKeyDown={move}
      >
        {rows.length === 0 && <p className="nothing-chosen">{t('client:chat.empty')}</p>}
        <div className="rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <div
                key={key}
                ref={scroll.measure}
                data-index={index}
                className="row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <HistoryRow
                  row={row}
                  isActive={row.key === activeKey}
                  isTarget={row.key === scroll.targetKey}
                  onActive={setActiveKey}
                />
              </div>
            );
          })}
        </div>
      </div>
      <JumpButtons
        showsUnread={scroll.isUnreadAbove}
        showsNewest={rows.length > 0 && !scroll.isAtEnd}
        count={conversation.unread_count}
        onUnread={() => position.goTo('unread')}
        onNewest={() => position.goTo('end')}
      />
      <Announcer state={state} />
    </div>
  );
}
