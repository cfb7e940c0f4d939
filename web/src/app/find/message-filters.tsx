import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons';
import { PeoplePicker } from '../picker/people-picker';
import type { TargetSource } from '../picker/use-targets';
import { countOf, MESSAGE_TYPES, type MessageFilter, NO_FILTER } from './message-filter';

interface Props {
  filter: MessageFilter;
  onChange: (filter: MessageFilter) => void;
  /** Where senders are searched: people, or the members of a group. */
  senders: TargetSource;
}

/** Button with the fields that restrict a search of messages: sender, type, days, link, attachment. */
export function MessageFilters({ filter, onChange, senders }: Props) {
  const { t } = useTranslation(['client', 'find']);
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const count = countOf(filter);
  const set = (change: Partial<MessageFilter>): void => onChange({ ...filter, ...change });
  return (
    <div className="message-filters">
      <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="settings" size={18} />
        {count === 0 ? t('find:filters.open') : t('find:filters.openCount', { count })}
      </button>
      {count > 0 && (
        <button type="button" className="quiet" onClick={() => onChange(NO_FILTER)}>
          {t('find:filters.clear')}
        </button>
      )}
      {isOpen && (
        <fieldset>
          <legend className="for-screen-readers">{t('find:filters.open')}</legend>
          <PeoplePicker
            label={t('find:filters.sender')}
            source={senders}
            max={1}
            chosen={filter.sender === undefined ? [] : [filter.sender]}
            onChange={([sender]) => set({ sender })}
            isCompact
          />
          <div>
            <label htmlFor={`${id}-type`}>{t('find:filters.type')}</label>
            <select
              id={`${id}-type`}
              value={filter.type ?? ''}
              onChange={({ target }) => set({ type: MESSAGE_TYPES.find((type) => type === target.value) })}
            >
              <option value="">{t('find:filters.anyType')}</option>
              {MESSAGE_TYPES.map((type) => (
                <option key={type} value={type}>
                  {t(`client:conversations.types.${type}`)}
                </option>
              ))}
            </select>
          </div>
          {(['since', 'until'] as const).map((end) => (
            <div key={end}>
              <label htmlFor={`${id}-${end}`}>{t(`find:filters.${end}`)}</label>
              <input
                id={`${id}-${end}`}
                type="date"
                value={filter[end] ?? ''}
                onChange={({ target }) => set({ [end]: target.value === '' ? undefined : target.value })}
              />
            </div>
          ))}
          {(['link', 'attachment'] as const).map((part) => (
            <label key={part} className="check">
              <input
                type="checkbox"
                checked={filter[part]}
                onChange={({ target }) => set({ [part]: target.checked })}
              />
              {t(`find:filters.${part}`)}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
