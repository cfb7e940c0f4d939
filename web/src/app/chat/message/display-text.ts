import type { MessageResponse } from '@callboard/client';
import type { TFunction } from 'i18next';

/** Message type in brackets, which the service writes in its own language. */
const KIND = /^\[[^\]]*\]/;

/** Returns a message as one line, with its type in the language of the page. */
export const displayText = (
  { type, display_content: text }: Pick<MessageResponse, 'type' | 'display_content'>,
  t: TFunction<'client'>,
): string => (type === 'text' ? text : text.replace(KIND, `[${t(`conversations.types.${type}`)}]`));
