import { AutoComplete, Form, Input, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminCallResponse } from '@callboard/client';
import { useLanguage } from '../../shared/i18n/i18n';
import { toCallboardError } from '../../shared/session';
import { FilterBar } from '../parts/filters/filter-bar';
import { useUserName } from '../parts/people/user-name';
import type { ListView } from '../parts/tables/use-list-view';
import { UserPicker } from '../parts/remote-picker';
import { CALL_FILTERS, useCallFilters } from './use-call-filters';
import { CALL_STATUSES, END_REASONS, useEndReasonLabel } from './call-labels';

const MAX_REASON = 64;

/** Filters of the call history. `error` is the service's error, shown at the filter that it names. */
export function CallFilters({ error, view }: { error: unknown; view: ListView<AdminCallResponse> }) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const { filters, set } = useCallFilters();
  const userId = filters.user_id;
  const userName = useUserName(userId);
  const listError = error === null ? undefined : toCallboardError(error);
  const errorAt = (field: string) =>
    listError?.field === field ? ({ validateStatus: 'error', help: listError.text(language) } as const) : {};
  return (
    <FilterBar names={CALL_FILTERS} view={view} label={t('calls.history')}>
      <Form layout="vertical" component={false}>
        <Form.Item label={t('calls.user')} htmlFor="call-user" {...errorAt('user_id')}>
          <UserPicker
            id="call-user"
            value={userId === undefined ? null : { value: userId, label: userName }}
            onChange={([picked]) => set({ user: picked?.value })}
            style={{ width: '100%' }}
          />
        </Form.Item>
        <Form.Item label={t('calls.state')} htmlFor="call-status">
          <Select
            id="call-status"
            allowClear
            placeholder={t('calls.anyStatus')}
            value={filters.status}
            options={CALL_STATUSES.map((value) => ({ value, label: t(`calls.status.${value}`) }))}
            onChange={(status?: string) => set({ status })}
          />
        </Form.Item>
        <Form.Item label={t('calls.kind')} htmlFor="call-media">
          <Select
            id="call-media"
            allowClear
            placeholder={t('calls.anyKind')}
            value={filters.media_type}
            options={(['audio', 'video'] as const).map((value) => ({
              value,
              label: t(`calls.media.${value}`),
            }))}
            onChange={(media?: string) => set({ media })}
          />
        </Form.Item>
        <Form.Item label={t('calls.reason')} htmlFor="call-reason" {...errorAt('end_reason')}>
          <ReasonFilter />
        </Form.Item>
        {(['from', 'to'] as const).map((end) => (
          <Form.Item key={end} label={t(`calls.${end}`)} htmlFor={`call-${end}`} {...errorAt(end)}>
            <Input
              id={`call-${end}`}
              type="date"
              value={filters[end] ?? ''}
              onChange={({ target }) => set({ [end]: target.value })}
            />
          </Form.Item>
        ))}
      </Form>
    </FilterBar>
  );
}

/**
 * Filters by end reason: a reason of the service, or one given by a client. Applied when it is selected or confirmed.
 */
function ReasonFilter() {
  const { t } = useTranslation('panel');
  const { filters, set } = useCallFilters();
  const reasonLabel = useEndReasonLabel();
  const applied = filters.end_reason ?? '';
  const [shown, setShown] = useState(applied);
  const [typed, setTyped] = useState(applied);
  const [hasActive, setHasActive] = useState(false);
  // A `key` would reset the text too, but the new field would not have the focus.
  if (shown !== applied) {
    setShown(applied);
    setTyped(applied);
  }
  const take = (reason?: string): void => set({ reason: reason?.trim() });
  return (
    <AutoComplete
      id="call-reason"
      allowClear
      maxLength={MAX_REASON}
      placeholder={t('calls.anyReason')}
      value={typed}
      options={END_REASONS.map((value) => ({ value, label: `${reasonLabel(value)} (${value})` }))}
      onChange={(value?: string) => {
        setTyped(value ?? '');
        if (value === undefined) take();
      }}
      onActive={(value: unknown) => setHasActive(value !== null && value !== undefined)}
      onOpenChange={() => setHasActive(false)}
      onSelect={take}
      onBlur={() => take(typed)}
      // Enter on a highlighted option selects the option.
      onKeyDown={({ key }) => key === 'Enter' && !hasActive && take(typed)}
    />
  );
}
