import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ErrorMessage } from '../../../shared/error-message';
import { isComposing } from '../../../shared/is-composing';
import { toCallboardError } from '../../../shared/session';
import { PaletteResultList } from './palette-result-list';
import { usePaletteResults } from './use-palette-results';
import './palette.css';

/** Finds any screen, user, device or device group, and opens it; fully usable by keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('panel');
  const [, navigate] = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { groups, isSearching, error } = usePaletteResults(typed);
  const all = groups.flatMap(({ results }) => results);
  // The results may have become fewer in the meantime.
  const current = Math.min(active, all.length - 1);
  useEffect(() => dialog.current?.showModal(), []);

  const open = (href: string): void => {
    dialog.current?.close();
    navigate(href);
    // The element that had the focus before may have been removed with its screen.
    document.querySelector<HTMLElement>('#panel-content')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const result = all[current];
    if (step !== undefined && all.length > 0) setActive((current + step + all.length) % all.length);
    // Input methods use Enter to confirm a composition.
    else if (event.key === 'Enter' && !isComposing(event) && result) open(result.href);
    else return;
    event.preventDefault();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes a dialog
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette.title')}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div className="palette-body">
        <input
          role="combobox"
          aria-label={t('palette.placeholder')}
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-activedescendant={current < 0 ? undefined : `${listId}-${current}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          placeholder={t('palette.placeholder')}
          value={typed}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(0);
          }}
        />
        {error !== undefined && <ErrorMessage error={toCallboardError(error)} />}
        <PaletteResultList
          id={listId}
          groups={groups}
          active={current}
          onActivate={setActive}
          onOpen={open}
        />
        <output className="palette-state">
          {isSearching ? t('palette.searching') : t('palette.found', { count: all.length })}
        </output>
      </div>
    </dialog>
  );
}
