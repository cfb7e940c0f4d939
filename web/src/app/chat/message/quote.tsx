import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { QuoteResponse } from '@callboard/client';
import { useOpenChat } from '../chat-context';
import { displayText } from './display-text';

/** Quote of the message that is replied to; a click jumps to it. */
export function Quote({ quote }: { quote: QuoteResponse }) {
  const { t } = useTranslation('client');
  const { jumpTo } = useOpenChat();
  const name = quote.sender_name ?? `#${quote.sender_id}`;
  return (
    <button type="button" className="quote" onClick={() => jumpTo(quote.id)}>
      <span className="for-screen-readers">{t('chat.answers')} </span>
      <strong>{name}</strong>
      <span>{quoteText(quote, t)}</span>
    </button>
  );
}

/** Returns the line that quotes a message above its reply. */
export const quoteText = (quote: QuoteResponse, t: TFunction<'client'>): string =>
  quote.is_recalled ? t('chat.recalled') : displayText(quote, t);
