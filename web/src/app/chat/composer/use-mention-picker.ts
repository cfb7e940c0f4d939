import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, type TextareaHTMLAttributes, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse } from '@callboard/client';
import { useUser } from '../../../shared/sign-in/user-context';
import { useDebounced } from '../../../shared/use-debounced';
import type { Draft, Mention } from '../drafts';
import { findMembers } from './find-members';

/** Largest group in which every member may mention all members; in larger ones only the owner may (contract 16.3). */
const MENTION_ALL_MEMBERS = 200;
/** An @ at the start of a word, and the part of the name that follows. */
const MENTION = /(^|\s)@([^\s@]{0,30})$/u;

interface Options {
  conversation: ConversationResponse;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  box: RefObject<HTMLTextAreaElement | null>;
  isOff: boolean;
}

export interface MentionPickerState {
  id: string;
  options: readonly Mention[];
  active: number;
  choose: (mention: Mention) => void;
  look: (box: HTMLTextAreaElement) => void;
  /** Returns whether the picker has handled the key. */
  onKeyDown: (event: KeyboardEvent) => boolean;
  attributes: TextareaHTMLAttributes<HTMLTextAreaElement>;
}

/** Offers members of a group to mention after an @. */
export function useMentionPicker({ conversation, draft, change, box, isOff }: Options): MentionPickerState {
  const { t } = useTranslation('client');
  const id = useId();
  const userId = useUser().id;
  const [typed, setTyped] = useState<string>();
  const [chosen, setChosen] = useState(0);
  const keyword = useDebounced(typed, 150);
  const { data = [] } = useQuery({
    queryKey: ['mention', conversation.id, keyword],
    queryFn: ({ signal }) => findMembers(conversation.id, keyword ?? '', signal),
    enabled: conversation.is_group && !isOff && keyword !== undefined,
  });
  const mayNameAll = conversation.role === 'owner' || (conversation.member_count ?? 0) <= MENTION_ALL_MEMBERS;
  const everybody: Mention = { id: null, name: t('chat.everybody') };
  const people = data.filter((member) => member.id !== userId);
  const isOpen = typed !== undefined && typed === keyword && !isOff && conversation.is_group;
  const withAll = mayNameAll && everybody.name.startsWith(keyword ?? '');
  const options = isOpen ? [...people, ...(withAll ? [everybody] : [])] : [];
  const active = Math.min(chosen, options.length - 1);

  const look = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): void => {
    const found = selectionStart === selectionEnd ? MENTION.exec(value.slice(0, selectionStart)) : null;
    setTyped(found?.[2]);
    if (found?.[2] !== typed) setChosen(0);
  };
  const choose = (mention: Mention): void => {
    const caret = box.current?.selectionStart ?? draft.text.length;
    const before = draft.text.slice(0, caret).replace(MENTION, `$1@${mention.name.replaceAll('$', '$$$$')} `);
    change({ text: before + draft.text.slice(caret), mentions: [...draft.mentions, mention] });
    setTyped(undefined);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const option = options[active];
    if (option === undefined) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: options.length - 1 };
    const step = steps[event.key];
    if (step !== undefined) setChosen((active + step) % options.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(option);
    else if (event.key === 'Escape') setTyped(undefined);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    id,
    options,
    active,
    choose,
    look,
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
