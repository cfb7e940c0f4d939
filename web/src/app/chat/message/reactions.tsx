import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { useOpenChat } from '../chat-context';

/** Those that are offered; any other one that is there can be joined. */
export const EMOJI = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

/** What others made of a message; a click joins them, another one takes that back. */
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
