import type { FoundMessageResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { Picture } from '../../shared/picture';
import { displayText } from '../chat/message/display-text';
import { Timestamp } from '../parts/timestamp';

interface Props {
  hit: FoundMessageResponse;
  /** Whether the chat is named, unless the sender is its peer. */
  showsChat: boolean;
}

/** A found message: sender, chat, time, and the text around the hits, which are marked. */
export function Hit({ hit: { message, conversation, snippet, highlights }, showsChat }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const isPeer = conversation.type === 'single' && !message.is_self;
  const sender = message.is_self ? t('client:chat.me') : (message.sender_name ?? `#${message.sender_id}`);
  return (
    <>
      <Picture name={sender} url={message.sender_avatar} id={message.sender_id} />
      <span className="option-text hit">
        <span className="hit-head">
          <strong>
            {showsChat && !isPeer ? t('find:hit', { sender, chat: conversation.name }) : sender}
          </strong>
          <Timestamp moment={message.sent_at} format="short" />
        </span>
        <span className="hit-text">
          {message.type !== 'text' && `${displayText({ type: message.type, display_content: '[]' }, t)} `}
          <Highlighted text={snippet} parts={highlights} />
        </span>
      </span>
    </>
  );
}

interface HighlightedProps {
  text: string;
  /** Start and length of each part in code points. */
  parts: FoundMessageResponse['highlights'];
}

function Highlighted({ text, parts }: HighlightedProps) {
  const letters = Array.from(text);
  const between = (start: number, end: number): string => letters.slice(start, end).join('');
  return (
    <>
      {parts.map(([start, length], index) => {
        const [before = 0, beforeLength = 0] = parts[index - 1] ?? [];
        return (
          <span key={start}>
            {between(before + beforeLength, start)}
            <mark>{between(start, start + length)}</mark>
          </span>
        );
      })}
      {between((parts.at(-1)?.[0] ?? 0) + (parts.at(-1)?.[1] ?? 0), letters.length)}
    </>
  );
}
