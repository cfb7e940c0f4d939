import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { useUrlState } from '../../shared/url-state';
import { ChoiceFilter } from '../parts/filters/choice-filter';
import { DayRange } from '../parts/filters/day-range';
import { FilterBar } from '../parts/filters/filter-bar';
import { TextFilter } from '../parts/filters/text-filter';
import type { ListView } from '../parts/tables/use-list-view';
import { GroupPicker } from '../parts/remote-picker';
import { DEVICE_FILTERS } from './devices-query';
import { useGroupOption } from './use-group-option';

/** Maximum length that the service accepts. */
const MAX_KEYWORD = 100;

/** Filters of the device list, stored in the URL. */
export function DeviceFilters({ view }: { view: ListView<DeviceResponse> }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const group = useGroupOption(url.number('group_id'));
  const isUngrouped = url.text('ungrouped') === '1';
  return (
    <FilterBar names={DEVICE_FILTERS} view={view}>
      <TextFilter name="keyword" label={t('devices.keyword')} maxLength={MAX_KEYWORD} />
      <span className="filter device-group-filter">
        <GroupPicker
          aria-label={t('devices.inGroup')}
          placeholder={t('devices.inGroup')}
          style={{ width: '100%' }}
          value={group}
          onChange={([picked]) => url.set({ group_id: picked?.value, ungrouped: null, page: null })}
        />
      </span>
      <Checkbox
        className="filter-box"
        checked={isUngrouped}
        onChange={({ target }) => url.set({ ungrouped: target.checked, group_id: null, page: null })}
      >
        {t('devices.ungrouped')}
      </Checkbox>
      <ChoiceFilter
        name="status"
        label={t('devices.status')}
        options={[
          { value: '1', label: t('devices.enabled') },
          { value: '0', label: t('devices.disabled') },
        ]}
      />
      <ChoiceFilter
        name="online"
        label={t('devices.presence')}
        options={[
          { value: '1', label: t('devices.online') },
          { value: '0', label: t('devices.offline') },
        ]}
      />
      <DayRange label={t('devices.columns.created_at')} />
    </FilterBar>
  );
}
