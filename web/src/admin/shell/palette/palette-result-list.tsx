/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox with remote results; there is no element for that */
import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaletteResult, PaletteResults } from './use-palette-results';

interface Props {
  id: string;
  groups: PaletteResults['groups'];
  active: number;
  onActivate: (index: number) => void;
  onOpen: (href: string) => void;
}

/** Search results by kind. The focus stays in the text box, which references the active result by id. */
export function PaletteResultList({ id, groups, active, onActivate, onOpen }: Props) {
  const { t } = useTranslation('panel');
  const starts = groups.map((_, index) =>
    groups.slice(0, index).reduce((sum, { results }) => sum + results.length, 0),
  );
  return (
    <div id={id} role="listbox" aria-label={t('palette.title')} className="palette-list">
      {groups.map(({ kind, results }, group) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} className="palette-kind">
            {t(`palette.kinds.${kind}`)}
          </div>
          {results.map((result, position) => {
            const index = (starts[group] ?? 0) + position;
            return (
              <Option
                key={result.href}
                id={`${id}-${index}`}
                result={result}
                isActive={index === active}
                onActivate={() => onActivate(index)}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  result: PaletteResult;
  isActive: boolean;
  onActivate: () => void;
  onOpen: (href: string) => void;
}

function Option({ id, result: { href, label, detail }, isActive, onActivate, onOpen }: OptionProps) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const openResult = (event: MouseEvent): void => {
    // Lets the browser open a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(href);
  };
  return (
    <a
      ref={element}
      id={id}
      href={`/admin${href}`}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onClick={openResult}
      onMouseMove={onActivate}
    >
      <span>{label}</span>
      {detail !== undefined && <span className="palette-detail">{detail}</span>}
    </a>
  );
}
