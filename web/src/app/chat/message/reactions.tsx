import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { useOpenChat } from '../chat-context';

/** Emoji that the menu offers first. */
export const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

/** Reactions to a message. A click adds the user's reaction, a second click removes it. */
export function Reactions({ message, tabIndex }: { message: MessageResponse; tabIndex: number }) {
  const { t } = useTranslation('client');
  const { isBlocked, react } = useOpenChat();
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label={t('chat.reactions')}>
      {message.reactions.map(({ emoji, count, reacted }) => (
        <li key={emoji}>
          <button
            type="button"
            aria-pressed={reacted}
            aria-label={t('chat.reactionCount', { emoji, count })}
            tabIndex={tabIndex}
            disabled={isBlocked}
            onClick={() => react(message, emoji, !reacted)}
          >
            {emoji} {count}
          </button>
        </li>
      ))}
    </ul>
  );
}
