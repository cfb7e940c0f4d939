import { type CSSProperties, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { Icon } from '../../icons';
import { Picture, toHue } from '../../../shared/picture';
import { useUser } from '../../../shared/sign-in/user-context';
import { useOpenChat } from '../chat-context';
import { Content } from './content';
import { Timestamp } from '../../parts/timestamp';
import { MessageTools } from './message-tools';
import { Quote } from './quote';
import { Reactions } from './reactions';
import { ReadState } from './read-state';
import { useTouchActions } from './use-touch-actions';
import './message.css';

interface Props {
  rowKey: string;
  message: MessageResponse;
  /** Whether the message is the first of a run by one sender, so that the sender is named. */
  isFirst: boolean;
  /** Whether the read state is shown. */
  hasStatus: boolean;
  /** Whether the arrow keys have selected this message. */
  isActive: boolean;
  isTarget: boolean;
  onActive: (key: string) => void;
}

/** A message with its sender, time, quoted message and reactions. */
export function Message({ rowKey, message, isFirst, hasStatus, isActive, isTarget, onActive }: Props) {
  const { t } = useTranslation('client');
  const { conversation, isBlocked, reply } = useOpenChat();
  const userId = useUser().id;
  const time = useFormat().time(message.sent_at);
  const menu = useRef<HTMLButtonElement>(null);
  // All buttons of all messages would double the cost of scrolling.
  const [isInUse, setInUse] = useState(false);
  const { is_self: isSelf, is_recalled: isRecalled, is_deleted: isDeleted } = message;
  const isGone = isRecalled || isDeleted;
  const touch = useTouchActions({
    onSwipe: isGone || isBlocked ? undefined : () => reply(message),
    onLongPress: () => menu.current?.click(),
  });
  const name = message.sender_name ?? `#${message.sender_id}`;
  const namesMe = !isSelf && (message.mention_all || message.mentions.includes(userId));
  const tabIndex = isActive ? 0 : -1;
  const classes = [
    'message',
    isSelf ? 'own' : 'theirs',
    isFirst && 'first',
    isTarget && 'target',
    namesMe && 'names-me',
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between messages
    <article
      className={classes.filter(Boolean).join(' ')}
      aria-label={t('chat.messageLabel', { name: isSelf ? t('chat.me') : name, time })}
      data-key={rowKey}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={tabIndex}
      onFocus={() => {
        setInUse(true);
        onActive(rowKey);
      }}
      onPointerEnter={() => setInUse(true)}
      {...touch}
    >
      {isInUse && (
        <span className="swipe-mark" aria-hidden="true">
          <Icon name="reply" size={20} />
        </span>
      )}
      {!isSelf && conversation.is_group && (
        <span className="sender-picture">
          {isFirst && <Picture name={name} url={message.sender_avatar} id={message.sender_id} />}
        </span>
      )}
      <div className="message-body">
        {!isSelf && isFirst && conversation.is_group && (
          <span className="sender" style={{ '--hue': toHue(name, message.sender_id) } as CSSProperties}>
            {name}
          </span>
        )}
        <div className="bubble-line">
          <div className={isGone ? 'bubble gone' : 'bubble'}>
            {message.is_forwarded && <span className="forwarded">{t('chat.forwarded')}</span>}
            {message.reply_to !== null && <Quote quote={message.reply_to} />}
            <Content message={message} name={name} />
            <span className="stamp">
              {message.edited_at !== null && <span>{t('chat.edited')} </span>}
              <Timestamp moment={message.sent_at} format="time" />
            </span>
          </div>
          {!isDeleted && (
            <MessageTools message={message} menu={menu} hasShortcuts={isInUse} tabIndex={tabIndex} />
          )}
        </div>
        <Reactions message={message} tabIndex={tabIndex} />
        {hasStatus && <ReadState message={message} tabIndex={tabIndex} />}
      </div>
    </article>
  );
}
