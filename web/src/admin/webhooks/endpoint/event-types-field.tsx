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
  const change = (group: EventGroup, chosen: EventType[]): void => {
    const others = value.filter((type) => !(EVENT_GROUPS[group] as readonly EventType[]).includes(type));
    onChange?.([...others, ...chosen]);
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
            chosen={value}
            onChange={(chosen) => change(group, chosen)}
          />
        ))}
    </div>
  );
}

interface GroupProps {
  group: EventGroup;
  chosen: readonly EventType[];
  onChange: (chosen: EventType[]) => void;
}

function EventGroupField({ group, chosen, onChange }: GroupProps) {
  const { t } = useTranslation('panel');
  const types: readonly EventType[] = EVENT_GROUPS[group];
  const own = types.filter((type) => chosen.includes(type));
  return (
    <fieldset className="event-group">
      <legend>
        <Checkbox
          checked={own.length === types.length}
          indeterminate={own.length > 0 && own.length < types.length}
          onChange={({ target }) => onChange(target.checked ? [...types] : [])}
        >
          {t(`webhooks.groups.${group}`)}
        </Checkbox>
      </legend>
      <Checkbox.Group<EventType>
        value={own}
        options={types.map((value) => ({ value, label: <code>{value}</code> }))}
        onChange={onChange}
      />
    </fieldset>
  );
}
