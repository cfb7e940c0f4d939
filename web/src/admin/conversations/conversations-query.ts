import type { ListAllConversationsData } from '@callboard/client';
import type { UrlState } from '../../shared/url-state';
import { oneOf } from '../parts/filters/one-of';

export const CONVERSATION_TYPES = ['single', 'group'] as const;

/** Names of the filters of the conversation list in the URL. */
export const CONVERSATION_FILTERS = ['keyword', 'type', 'member'] as const;

type Query = Omit<NonNullable<ListAllConversationsData['query']>, 'limit' | 'cursor'>;

/** Reads the filters of the conversation list from the URL. Invalid values are left out. */
export const conversationsQueryOf = (url: UrlState): Query => ({
  keyword: url.text('keyword'),
  type: oneOf(CONVERSATION_TYPES, url.text('type')),
  user_id: url.number('member'),
});
