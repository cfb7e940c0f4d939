/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox with remote results; there is no element for that */
import { type MouseEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Finding, Findings } from './use-findings';

interface Props {
  id: string;
  kinds: Findings['kinds'];
  active: number;
  onActivate: (index: number) => void;
  onOpen: (href: string) => void;
}

/** Search results by kind. The focus stays in the text box, which references the active result by id. */
export function FindingList({ id, kinds, active, onActivate, onOpen }: Props) {
  const { t } = useTranslation('panel');
  const starts = kinds.map((_, index) =>
    kinds.slice(0, index).reduce((sum, { findings }) => sum + findings.length, 0),
  );
  return (
    <div id={id} role="listbox" aria-label={t('palette.title')} className="palette-list">
      {kinds.map(({ kind, findings }, group) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} className="palette-kind">
            {t(`palette.kinds.${kind}`)}
          </div>
          {findings.map((finding, position) => {
            const index = (starts[group] ?? 0) + position;
            return (
              <Option
                key={finding.href}
                id={`${id}-${index}`}
                finding={finding}
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
  finding: Finding;
  isActive: boolean;
  onActivate: () => void;
  onOpen: (href: string) => void;
}

function Option({ id, finding: { href, label, detail }, isActive, onActivate, onOpen }: OptionProps) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const follow = (event: MouseEvent): void => {
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
      onClick={follow}
      onMouseMove={onActivate}
    >
      <span>{label}</span>
      {detail !== undefined && <span className="palette-detail">{detail}</span>}
    </a>
  );
}
