import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessagesState } from '@callboard/client';

/** Reads out what others write while the chat is open. */
export function Announcer({ state: { messages, hasNewer } }: { state: MessagesState }) {
  const { t } = useTranslation('client');
  const newest = hasNewer ? undefined : messages[0];
  const [known, setKnown] = useState(newest?.id ?? 0);
  const [text, setText] = useState('');
  if (newest !== undefined && newest.id > known) {
    setKnown(newest.id);
    if (!newest.is_self)
      setText(t('conversations.from', { name: newest.sender_name ?? '', text: newest.display_content }));
  }
  return (
    <div aria-live="polite" className="for-screen-readers">
      {text}
    </div>
  );
}
