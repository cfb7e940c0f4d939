import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons';
import { LazyEmojiPicker } from './lazy-emoji-picker';

/** Distance from the button and from the edge of the window, in pixels. */
const MARGIN_PX = 8;

/** Button of the composer that opens the emoji picker above it. */
export function EmojiButton({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { t } = useTranslation('client');
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = (): void => {
    const at = opener.current?.getBoundingClientRect();
    if (at === undefined || popover.current === null) return;
    popover.current.style.left = `${Math.max(MARGIN_PX, Math.min(at.left, innerWidth - popover.current.offsetWidth - MARGIN_PX))}px`;
    popover.current.style.bottom = `${innerHeight - at.top + MARGIN_PX}px`;
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className="icon-button"
        aria-label={t('chat.emoji.insert')}
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <Icon name="smile" />
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element would be modal or lack the light dismiss
        role="dialog"
        aria-label={t('chat.emoji.insert')}
        className="emoji-popover"
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') requestAnimationFrame(place);
        }}
      >
        {isOpen && (
          <LazyEmojiPicker
            onChoose={(emoji) => {
              popover.current?.hidePopover();
              onChoose(emoji);
            }}
          />
        )}
      </div>
    </>
  );
}
