import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { ALL_EVENTS, EVENT_GROUPS, type EventGroup, type EventType, GROUP_NAMES } from '../event-types';

interface Props {
  id?: string;
  value?: EventType[];
  onChange?: (types: EventType[]) => void;
}

const NONE: EventType[] = [];

/** Event types that an endpoint receives: all, including those of later versions, or a selection. */
export function EventTypesField({ id, value = NONE, onChange }: Props) {
  const { t } = useTranslation('panel');
  const isAll = value.includes(ALL_EVENTS);
  const change = (group: EventGroup, selected: EventType[]): void => {
    const others = value.filter((type) => !(EVENT_GROUPS[group] as readonly EventType[]).includes(type));
    onChange?.([...others, ...selected]);
  };
  return (
    <div id={id}>
      <p>
        <Checkbox checked={isAll} onChange={({ target }) => onChange?.(target.checked ? [ALL_EVENTS] : [])}>
          {t('webhooks.form.all')}
        </Checkbox>
      </p>
      {!isAll &&
        GROUP_NAMES.map((group) => (
          <EventGroupField
            key={group}
            group={group}
            selected={value}
            onChange={(selected) => change(group, selected)}
          />
        ))}
    </div>
  );
}

interface GroupProps {
  group: EventGroup;
  selected: readonly EventType[];
  onChange: (selected: EventType[]) => void;
}

function EventGroupField({ group, selected, onChange }: GroupProps) {
  const { t } = useTranslation('panel');
  const types: readonly EventType[] = EVENT_GROUPS[group];
  const selectedHere = types.filter((type) => selected.includes(type));
  return (
    <fieldset className="event-group">
      <legend>
        <Checkbox
          checked={selectedHere.length === types.length}
          indeterminate={selectedHere.length > 0 && selectedHere.length < types.length}
          onChange={({ target }) => onChange(target.checked ? [...types] : [])}
        >
          {t(`webhooks.groups.${group}`)}
        </Checkbox>
      </legend>
      <Checkbox.Group<EventType>
        value={selectedHere}
        options={types.map((value) => ({ value, label: <code>{value}</code> }))}
        onChange={onChange}
      />
    </fieldset>
  );
}
