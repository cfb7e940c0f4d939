import type { MessageResponse } from '@callboard/client';
import type { TFunction } from 'i18next';

/** The service names kinds of messages in brackets, in a language of its own. */
const KIND = /^\[[^\]]*\]/;

/** Returns a message as one line, with its kind in the language of the page. */
export const displayText = (
  { type, display_content: text }: Pick<MessageResponse, 'type' | 'display_content'>,
  t: TFunction<'client'>,
): string => (type === 'text' ? text : text.replace(KIND, `[${t(`conversations.types.${type}`)}]`));
