/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox with remote results; there is no element for that */
import { useEffect, useRef } from 'react';
import { type ListboxOption, type ListboxState, optionId } from './use-listbox';
import './listbox.css';

interface Props {
  listbox: ListboxState;
  label: string;
  /** Whether several options can be chosen. Default: false. */
  isMultiple?: boolean;
}

/** Results of a search by kind. The focus stays in the text field, which references the active option by id. */
export function Listbox({ listbox: { id, groups, activeKey, setActiveKey }, label, isMultiple }: Props) {
  const filled = groups.filter(({ options }) => options.length > 0);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMultiple}
      className="listbox"
      hidden={filled.length === 0}
    >
      {filled.map(({ key, label: heading, options }) => (
        <div key={key} role="group" aria-labelledby={`${id}-${key}`}>
          <div id={`${id}-${key}`} className="listbox-heading">
            {heading}
          </div>
          {options.map((option) => (
            <Option
              key={option.key}
              id={optionId(id, option.key)}
              option={option}
              isActive={option.key === activeKey}
              isSelected={isMultiple === true ? option.isChosen === true : option.key === activeKey}
              onActivate={() => setActiveKey(option.key)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  option: ListboxOption;
  isActive: boolean;
  isSelected: boolean;
  onActivate: () => void;
}

function Option({ id, option: { content, choose }, isActive, isSelected, onActivate }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field handles the keys
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isSelected}
      className={isActive ? 'active' : undefined}
      tabIndex={-1}
      // The text field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onActivate}
      onClick={choose}
    >
      {content}
    </div>
  );
}
