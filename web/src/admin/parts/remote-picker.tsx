import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select, Spin, Typography } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useLanguage } from '../../shared/i18n/i18n';
import { includesText } from '../../shared/includes-text';
import { toCallboardError } from '../../shared/session';
import { useDebounced } from '../../shared/use-debounced';

export interface PickerOption {
  value: number;
  label: string;
}

interface Props {
  'aria-label'?: string;
  id?: string;
  placeholder: string;
  /** The search. The service runs it; the picker shows the first twenty results. */
  kind: string;
  search: (keyword: string, signal: AbortSignal) => Promise<PickerOption[]>;
  value?: PickerOption | PickerOption[] | null;
  /** Allows several picks. */
  isMultiple?: boolean;
  onChange?: (picked: PickerOption[]) => void;
  style?: React.CSSProperties;
}

/** Picks from a list of the service, which may have a hundred thousand items: only search results are loaded. */
export function RemotePicker({ kind, search, value, isMultiple = false, onChange, ...rest }: Props) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const text = typed.trim();
  const keyword = useDebounced(text);
  const {
    data = [],
    error,
    isFetching,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['pick', kind, keyword],
    queryFn: ({ signal }) => search(keyword, signal),
    enabled: isOpen,
    // Options that match the new text stay, so that Enter can pick one during the request.
    placeholderData: keepPreviousData,
  });
  // Enter and Tab pick the first option, which must not be one of the text before.
  const isSettled = keyword === text && !isPlaceholderData;
  const options = data.filter(({ label }) => isSettled || includesText(label, text));
  return (
    <Select<PickerOption[] | PickerOption | null>
      {...rest}
      labelInValue
      allowClear
      mode={isMultiple ? 'multiple' : undefined}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      value={value ?? (isMultiple ? [] : null)}
      options={options}
      // A blur empties the field without a call of `onSearch`.
      onBlur={() => setTyped('')}
      onOpenChange={setOpen}
      onChange={(next) => onChange?.(next === null || next === undefined ? [] : [next].flat())}
      notFoundContent={
        isFetching || !isSettled ? (
          <Spin size="small" />
        ) : (
          <Typography.Text type={error === null ? 'secondary' : 'danger'}>
            {error === null ? t('parts.none') : toCallboardError(error).text(language)}
          </Typography.Text>
        )
      }
    />
  );
}

type SinglePicker = Omit<Props, 'kind' | 'search' | 'placeholder'> & { placeholder?: string };

const FIRST_PAGE = { page: 1, per_page: 20 };

export function UserPicker(props: SinglePicker) {
  const { t } = useTranslation('panel');
  return <RemotePicker placeholder={t('parts.pickUser')} {...props} kind="users" search={searchUsersOrId} />;
}

export function GroupPicker(props: SinglePicker) {
  const { t } = useTranslation('panel');
  return <RemotePicker placeholder={t('parts.pickGroup')} {...props} kind="groups" search={searchGroups} />;
}

export function DevicePicker(props: SinglePicker) {
  const { t } = useTranslation('panel');
  return (
    <RemotePicker placeholder={t('parts.pickDevice')} {...props} kind="devices" search={searchDevices} />
  );
}

/** Searches by part of the name or the account. */
export async function searchUsers(keyword: string, signal: AbortSignal): Promise<PickerOption[]> {
  const { items } = await callboard.users.list({
    query: { ...FIRST_PAGE, ...(keyword && { keyword }) },
    signal,
  });
  return items.map(({ id, name, account }) => ({
    value: id,
    label: account ? `${name} (${account})` : name,
  }));
}

/** Returns the keyword as an id if it can be one. */
export const parseId = (keyword: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(keyword) ? Number(keyword) : undefined;

/** Searches by part of the name or the account, and by id if the keyword is a number. */
async function searchUsersOrId(keyword: string, signal: AbortSignal): Promise<PickerOption[]> {
  const found = await searchUsers(keyword, signal);
  const id = parseId(keyword);
  if (id === undefined || found.some(({ value }) => value === id)) return found;
  const user = await callboard.users.get({ path: { id }, signal }).catch(() => undefined);
  return user === undefined ? found : [{ value: user.id, label: `${user.name} (#${user.id})` }, ...found];
}

export async function searchGroups(keyword: string, signal: AbortSignal): Promise<PickerOption[]> {
  const { items } = await callboard.deviceGroups.list({
    query: { ...FIRST_PAGE, ...(keyword && { keyword }) },
    signal,
  });
  return items.map(({ id, name }) => ({ value: id, label: name }));
}

export async function searchDevices(keyword: string, signal: AbortSignal): Promise<PickerOption[]> {
  const { items } = await callboard.devices.list({
    query: { ...FIRST_PAGE, ...(keyword && { keyword }) },
    signal,
  });
  return items.map(({ id, name, serial_no }) => ({
    value: id,
    label: serial_no ? `${name} (${serial_no})` : name,
  }));
}
