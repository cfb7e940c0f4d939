import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { isComposing } from '../../shared/is-composing';

/** A choice in a listbox. */
export interface ListboxOption {
  key: string;
  content: ReactNode;
  /** Whether the option is chosen, in a listbox that allows several. */
  isChosen?: boolean;
  choose: () => void;
}

/** Options with a common heading. */
export interface ListboxGroup {
  key: string;
  label: string;
  options: readonly ListboxOption[];
}

export interface ListboxState {
  id: string;
  groups: readonly ListboxGroup[];
  activeKey: string | undefined;
  setActiveKey: (key: string) => void;
  /** Attributes and key handler of the text field, which keeps the focus. */
  field: {
    role: 'combobox';
    'aria-expanded': boolean;
    'aria-controls': string;
    'aria-autocomplete': 'list';
    'aria-activedescendant': string | undefined;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** Id of the element of an option. */
export const optionId = (listId: string, key: string): string => `${listId}-${key}`;

/**
 * A text field with a list of results (ARIA combobox): arrow keys move, Enter chooses. The active option keeps its key while the
 * results change.
 */
export function useListbox(groups: readonly ListboxGroup[]): ListboxState {
  const id = useId();
  const [wanted, setActiveKey] = useState<string>();
  const options = groups.flatMap((group) => group.options);
  const active = options.find(({ key }) => key === wanted) ?? options[0];
  const move = (step: 1 | -1): void => {
    const index = options.findIndex(({ key }) => key === active?.key);
    setActiveKey(options.at((index + step) % options.length)?.key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // An input method uses the same keys to choose its candidates.
    if (isComposing(event)) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') active?.choose();
    else return;
    event.preventDefault();
  };
  return {
    id,
    groups,
    activeKey: active?.key,
    setActiveKey,
    field: {
      role: 'combobox',
      'aria-expanded': options.length > 0,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': active === undefined ? undefined : optionId(id, active.key),
      onKeyDown,
    },
  };
}
