import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { ID_FIELDS } from './names';
import { ObjectName } from './object-name';

interface Props {
  field: string;
  value: unknown;
  /** Kind of the object that has the field. */
  objectType: string;
}

/** Maximum number of ids that are resolved to names. The number of further ones is shown. */
const MAX_NAMES = 5;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Kinds of objects whose status is 1 (enabled) or 0 (disabled). */
const FLAGS = new Set(['user', 'device_group', 'device', 'webhook']);

/** Formats a value for readers: names for ids, words for codes, times in the service's time zone. */
export function FieldValue({ field, value, objectType }: Props): ReactNode {
  const { t } = useTranslation(['panel', 'shared']);
  const format = useFormat();
  if (value === null || value === undefined || value === '') return t('audit.nothing');
  const type = ID_FIELDS[field];
  if (type !== undefined) return <Named type={type} ids={[value].flat()} />;
  if (field === 'status' && FLAGS.has(objectType) && (value === 1 || value === 0))
    return t(value === 1 ? 'users.enabled' : 'users.disabled');
  if (field === 'role' && (value === 'admin' || value === 'user')) return t(`shared:roles.${value}`);
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (field === 'size' && typeof value === 'number') return format.size(value);
  // Ids of objects without a name have no thousands separators.
  if (typeof value === 'number') return field.endsWith('_id') ? String(value) : format.number(value);
  if (typeof value === 'string') return TIMESTAMP.test(value) ? format.dateTime(value) : value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ');
  return <code>{JSON.stringify(value)}</code>;
}

function Named({ type, ids }: { type: (typeof ID_FIELDS)[string]; ids: unknown[] }) {
  const { t } = useTranslation('panel');
  const rest = ids.length - MAX_NAMES;
  return (
    <>
      {ids.slice(0, MAX_NAMES).map((id, index) => (
        <Fragment key={String(id)}>
          {index > 0 && ', '}
          <ObjectName type={type} id={String(id)} />
        </Fragment>
      ))}
      {rest > 0 && ` ${t('audit.andMore', { total: rest })}`}
    </>
  );
}
