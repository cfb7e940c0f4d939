import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposing } from '../../../shared/is-composing';
import { Icon } from '../../icons';
import { useOpenChat } from '../chat-context';
import { ChatSearch } from './chat-search';
import { GroupDetails } from './group-details';
import { PersonDetails } from './person-details';
import type { Side } from './use-side';
import './chat-side.css';

interface Props {
  side: Side;
  onClose: () => void;
}

/** Panel beside a chat; on narrow screens above it. Escape closes it, and the focus returns to where it was. */
export function ChatSide({ side, onClose }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const { conversation } = useOpenChat();
  const panel = useRef<HTMLElement>(null);
  // Before the effect of the search, which focuses its field.
  useLayoutEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const title = t(side === 'search' ? 'client:conversations.inChat' : 'client:conversations.details');
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the panel
    <aside
      ref={panel}
      className={`chat-side ${side}`}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // An input method cancels a composition by Escape.
        if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
        // A dialog that the panel has opened closes itself.
        if (event.target instanceof Element && event.target.closest('dialog') !== null) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className="side-header">
        <h2>{title}</h2>
        <button type="button" className="icon-button" aria-label={t('find:closeSide')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {side === 'search' && <ChatSearch />}
      {side === 'details' && conversation.is_group && <GroupDetails />}
      {side === 'details' && !conversation.is_group && <PersonDetails />}
    </aside>
  );
}
