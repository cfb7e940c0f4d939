import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessagesState } from '@callboard/client';
import { displayText } from '../message/display-text';
import { useNoticeText } from '../message/notice';

const NO_MESSAGE = { notice: null, sender_id: 0, sender_name: null, is_self: false, display_content: '' };

/** Announces new messages of other members to screen readers while the chat is open. */
export function Announcer({ state: { messages, hasNewer } }: { state: MessagesState }) {
  const { t } = useTranslation('client');
  const newest = hasNewer ? undefined : messages[0];
  const [announcedId, setAnnouncedId] = useState(newest?.id ?? 0);
  const [text, setText] = useState('');
  const noticeText = useNoticeText(newest ?? NO_MESSAGE);
  if (newest !== undefined && newest.id > announcedId) {
    setAnnouncedId(newest.id);
    const values = { name: newest.sender_name ?? '', text: displayText(newest, t) };
    if (!newest.is_self) setText(newest.notice === null ? t('conversations.from', values) : noticeText);
  }
  return (
    <div aria-live="polite" className="for-screen-readers">
      {text}
    </div>
  );
}
