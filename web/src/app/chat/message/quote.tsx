import { useTranslation } from 'react-i18next';
import type { QuoteResponse } from '@callboard/client';
import { useOpenChat } from '../chat-context';

/** What a message answers; it leads there. */
export function Quote({ quote }: { quote: QuoteResponse }) {
  const { t } = useTranslation('client');
  const { jumpTo } = useOpenChat();
  const name = quote.sender_name ?? `#${quote.sender_id}`;
  return (
    <button type="button" className="quote" onClick={() => jumpTo(quote.id)}>
      <span className="for-screen-readers">{t('chat.answers')} </span>
      <strong>{name}</strong>
      <span>{quoteText(quote, t('chat.recalled'))}</span>
    </button>
  );
}

export const quoteText = ({ is_recalled, display_content }: QuoteResponse, recalled: string): string =>
  is_recalled ? recalled : display_content;
