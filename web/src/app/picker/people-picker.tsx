import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../shared/client-config';
import { ErrorMessage } from '../../shared/error-message';
import { Picture } from '../../shared/picture';
import { Icon } from '../icons';
import { useLive } from '../live';
import { MAX_KEYWORD } from './find-members';
import { Listbox } from './listbox';
import { useListbox } from './use-listbox';
import { keyOf, type Target, type TargetSource, useTargets } from './use-targets';

interface Props {
  label: string;
  source: TargetSource;
  chosen: readonly Target[];
  onChange: (chosen: readonly Target[]) => void;
  /** Maximum number of choices; with 1 a choice replaces the previous one. Default: no limit. */
  max?: number;
  /** User ids that are not offered, such as those of members. */
  without?: ReadonlySet<number>;
  /** Whether suggestions are shown only once the user types. Default: false. */
  isCompact?: boolean;
}

/**
 * Chooses people or chats: a text field with suggestions, first the user's chats, then people that the service finds. Chosen ones
 * are chips above the field; Backspace in the empty field removes the last one.
 */
export function PeoplePicker({
  label,
  source,
  chosen,
  onChange,
  max = Infinity,
  without,
  isCompact = false,
}: Props) {
  const { t } = useTranslation(['client', 'find']);
  const id = useId();
  const [typed, setTyped] = useState('');
  const directory = useClientConfig()?.features.user_directory;
  const { conversations: list, conversationsState: state } = useLive();
  const { known, found, isSearching, error } = useTargets(typed, source);
  const isFull = max > 1 && chosen.length >= max;
  const isChosen = (target: Target): boolean => chosen.some((one) => keyOf(one) === keyOf(target));

  const toggle = (target: Target): void => {
    if (isChosen(target)) onChange(chosen.filter((one) => keyOf(one) !== keyOf(target)));
    else if (max === 1) onChange([target]);
    else if (!isFull) onChange([...chosen, target]);
    setTyped('');
  };
  const toOptions = (targets: readonly Target[]) =>
    targets
      .filter((target) => target.kind === 'chat' || without?.has(target.id) !== true)
      .map((target) => ({
        key: keyOf(target),
        isChosen: isChosen(target),
        choose: () => toggle(target),
        content: <TargetRow target={target} isChosen={isChosen(target)} />,
      }));
  const isMembers = typeof source === 'object';
  const isHidden = isCompact && typed.trim() === '';
  const listbox = useListbox([
    { key: 'known', label: t('client:conversations.known'), options: isHidden ? [] : toOptions(known) },
    {
      key: 'found',
      label: t(isMembers ? 'find:picker.members' : 'client:conversations.found'),
      options: isHidden ? [] : toOptions(found),
    },
  ]);
  const hint = {
    open: t('client:conversations.searchOpen'),
    exact: t('client:conversations.searchExact'),
    off: t('client:conversations.directoryOff'),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1));
    else listbox.field.onKeyDown(event);
  };
  const isEmpty = listbox.groups.every(({ options }) => options.length === 0);
  return (
    <search className="people-picker">
      {chosen.length > 0 && (
        <ul className="chips" aria-label={t('find:picker.chosen')}>
          {chosen.map((target) => (
            <li key={keyOf(target)}>
              <Picture name={target.name} url={target.avatar} id={target.pictureId} />
              <span>{target.name}</span>
              <button
                type="button"
                className="icon-button"
                aria-label={t('find:picker.remove', { name: target.name })}
                onClick={() => toggle(target)}
              >
                <Icon name="close" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={typed}
        maxLength={MAX_KEYWORD}
        autoComplete="off"
        enterKeyHint="done"
        {...listbox.field}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} className="hint">
        {isFull && t('find:picker.limit', { count: max })}
        {!isFull && !isMembers && !isCompact && directory !== undefined && hint[directory]}
      </p>
      <output className="hint">
        {isSearching && t('client:conversations.searching')}
        {!isSearching && typed.trim() !== '' && isEmpty && t('client:conversations.noResults')}
      </output>
      {error !== undefined && <ErrorMessage error={error} />}
      <Listbox listbox={listbox} label={label} isMultiple />
      {!isMembers && !isCompact && state?.hasMore === true && (
        <button type="button" className="quiet" onClick={() => void list?.loadMore()}>
          {t('client:conversations.more')}
        </button>
      )}
    </search>
  );
}

function TargetRow({ target: { name, avatar, pictureId }, isChosen }: { target: Target; isChosen: boolean }) {
  return (
    <>
      <Picture name={name} url={avatar} id={pictureId} />
      <span className="option-text">
        <span>{name}</span>
      </span>
      <span className="option-check">{isChosen && <Icon name="check" size={20} />}</span>
    </>
  );
}
