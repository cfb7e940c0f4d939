import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, type TextareaHTMLAttributes, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { useDebounced } from '../../../shared/use-debounced';
import { findMembers } from '../../picker/find-members';
import type { Draft, Mention } from '../drafts';

/** Largest group in which every member may mention all members; in larger ones only the owner may (API 8.5). */
const MENTION_ALL_MEMBERS = 200;
/** Members who are offered at a time, the user included. */
const MAX_OFFERED = 9;
/** An @ at the start of a word, and the part of the name that follows. */
const MENTION = /(^|\s)@([^\s@]{0,30})$/u;

interface Options {
  conversation: ConversationResponse;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  textarea: RefObject<HTMLTextAreaElement | null>;
  isDisabled: boolean;
}

export interface MentionPickerState {
  id: string;
  options: readonly Mention[];
  active: number;
  choose: (mention: Mention) => void;
  update: (textarea: HTMLTextAreaElement) => void;
  /** Returns whether the picker has handled the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  attributes: TextareaHTMLAttributes<HTMLTextAreaElement>;
}

/** Offers members of a group to mention after an @. */
export function useMentionPicker({
  conversation,
  draft,
  change,
  textarea,
  isDisabled,
}: Options): MentionPickerState {
  const { t } = useTranslation('client');
  const id = useId();
  const userId = useUser().id;
  const [query, setQuery] = useState<string>();
  const [activeIndex, setActiveIndex] = useState(0);
  const keyword = useDebounced(query, 150);
  const { data = [] } = useQuery({
    queryKey: ['mention', conversation.id, keyword],
    queryFn: ({ signal }) => findMembers(conversation.id, keyword ?? '', { signal, limit: MAX_OFFERED }),
    enabled: conversation.is_group && !isDisabled && keyword !== undefined,
  });
  const mayMentionAll =
    conversation.role === 'owner' || (conversation.member_count ?? 0) <= MENTION_ALL_MEMBERS;
  const mentionAll: Mention = { id: null, name: t('chat.everybody') };
  const people = data.flatMap(({ user_id, name }): Mention[] =>
    name === null || user_id === userId ? [] : [{ id: user_id, name }],
  );
  const isOpen = query !== undefined && query === keyword && !isDisabled && conversation.is_group;
  const withAll = mayMentionAll && mentionAll.name.startsWith(keyword ?? '');
  const options = isOpen ? [...people, ...(withAll ? [mentionAll] : [])] : [];
  const active = Math.min(activeIndex, options.length - 1);

  const update = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void => {
    const found = selectionStart === selectionEnd ? MENTION.exec(value.slice(0, selectionStart)) : null;
    setQuery(found?.[2]);
    if (found?.[2] !== query) setActiveIndex(0);
  };
  const choose = (mention: Mention): void => {
    const caret = textarea.current?.selectionStart ?? draft.text.length;
    const before = draft.text.slice(0, caret).replace(MENTION, `$1@${mention.name.replaceAll('$', '$$$$')} `);
    change({ text: before + draft.text.slice(caret), mentions: [...draft.mentions, mention] });
    setQuery(undefined);
    requestAnimationFrame(() => {
      textarea.current?.focus();
      textarea.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const option = options[active];
    if (option === undefined) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: options.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) setActiveIndex((active + step) % options.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(option);
    else if (event.key === 'Escape') setQuery(undefined);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    id,
    options,
    active,
    choose,
    update,
    onKeyDown,
    attributes:
      options.length === 0
        ? {}
        : {
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-activedescendant': `${id}-${active}`,
          },
  };
}
