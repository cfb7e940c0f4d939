import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { useObjectName } from '../parts/audit/object-names';
import { type PickerOption, UserPicker } from '../parts/remote-picker';

interface Props {
  label: string;
  value?: PickerOption;
}

/** Filters by actor: a user, found by search, or an API key. */
export function ActorPicker({ type }: { type: 'user' | 'key' }) {
  const { t } = useTranslation('panel');
  const id = useUrlState().number('actor_id');
  const label = t(`audit.actors.${type}`);
  if (id !== undefined) return <PickedActor type={type} id={id} label={label} />;
  return type === 'user' ? <ActingUser label={label} /> : <ActingKey label={label} />;
}

function PickedActor({ type, id, label }: { type: 'user' | 'key'; id: number; label: string }) {
  const value = { value: id, label: useObjectName(type, String(id)) };
  return type === 'user' ? (
    <ActingUser label={label} value={value} />
  ) : (
    <ActingKey label={label} value={value} />
  );
}

function ActingUser({ label, value }: Props) {
  const url = useUrlState();
  return (
    <UserPicker
      aria-label={label}
      style={{ width: '16rem', maxWidth: '100%' }}
      value={value}
      onChange={([picked]) => url.set({ actor_id: picked?.value, cursor: null })}
    />
  );
}

/** The service has no search for API keys; there are few of them. */
const KEYS = { page: 1, per_page: 100 };

function ActingKey({ label, value }: Props) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const [isOpen, setOpen] = useState(false);
  const { data, isFetching } = useQuery({
    queryKey: ['keys', 'pick'],
    queryFn: ({ signal }) => callboard.keys.list({ query: KEYS, signal }),
    enabled: isOpen,
  });
  return (
    <Select<PickerOption | null>
      aria-label={label}
      labelInValue
      allowClear
      placeholder={t('audit.pickKey')}
      style={{ width: '16rem', maxWidth: '100%' }}
      loading={isFetching}
      value={value ?? null}
      options={data?.items.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))}
      onOpenChange={setOpen}
      onChange={(picked) => url.set({ actor_id: picked?.value, cursor: null })}
    />
  );
}
