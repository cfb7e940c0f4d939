import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation, PresenceItemResponse } from '@callboard/client';
import { Link } from 'wouter';
import { Picture } from '../../shared/picture';
import { useUser } from '../../shared/sign-in/user-context';
import { useDraft } from '../chat/drafts';
import { Icon } from '../icons';
import { PresenceDot } from '../parts/presence';
import { Timestamp } from '../parts/timestamp';
import { ConversationMenu } from './conversation-menu';
import { useLastMessage } from './last-message';

/** Largest unread count that is shown; above it the badge is `99+`. */
const MAX_SHOWN = 99;

interface Props {
  conversation: Conversation;
  isOpen: boolean;
  presence: PresenceItemResponse | undefined;
  /** Position in a list of which only a part is rendered, and the length of that list. */
  index?: number;
  count?: number;
  /** Ref callback that measures the height of the row. */
  measure?: (row: Element | null) => void;
}

/** A conversation in the list with its last message and unread count. Scrolling does not render the rows again. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  isOpen,
  presence,
  index,
  count,
  measure,
}: Props) {
  const { t } = useTranslation('client');
  const { id, name, avatar, unread_count: unread, mention_id: mention, pinned, muted } = conversation;
  const lastMessage = useLastMessage(conversation);
  const draft = useDraft(useUser().id, id);
  return (
    <li
      className={`conversation${isOpen ? ' open' : ''}`}
      ref={measure}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={count}
    >
      <Link href={`/conversations/${id}`} aria-current={isOpen ? 'page' : undefined}>
        <span className="with-presence">
          <Picture name={name} url={avatar} id={conversation.peer_id ?? id} />
          <PresenceDot presence={presence} />
        </span>
        <span className="conversation-text">
          <span className="first-line">
            <strong>{name}</strong>
            {pinned && <Mark icon="pin" text={t('conversations.pinned')} />}
            {muted && <Mark icon="muted" text={t('conversations.muted')} />}
            {conversation.last_sent_at !== null && (
              <Timestamp moment={conversation.last_sent_at} format="short" />
            )}
          </span>
          <span className="second-line">
            <span className={draft === undefined || isOpen ? 'last-message' : 'last-message draft'}>
              {draft === undefined || isOpen ? lastMessage : t('conversations.draft', { text: draft.text })}
            </span>
            {mention !== null && (
              <span className="mention-mark">
                <span aria-hidden="true">@</span>
                <span className="for-screen-readers">{t('conversations.mentioned')}</span>
              </span>
            )}
            {unread > 0 && (
              <span className={muted ? 'badge muted' : 'badge'}>
                <span aria-hidden="true">{unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}</span>
                <span className="for-screen-readers">{t('conversations.unread', { count: unread })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
      <ConversationMenu conversation={conversation} />
    </li>
  );
});

function Mark({ icon, text }: { icon: 'pin' | 'muted'; text: string }) {
  return (
    <span className="mark" title={text}>
      <Icon name={icon} size={16} />
      <span className="for-screen-readers">{text}</span>
    </span>
  );
}
