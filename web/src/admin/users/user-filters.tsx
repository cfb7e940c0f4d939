import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { useUrlState } from '../../shared/url-state';
import { ChoiceFilter } from '../parts/filters/choice-filter';
import { DayRange } from '../parts/filters/day-range';
import { FilterBar } from '../parts/filters/filter-bar';
import type { ListView } from '../parts/tables/use-list-view';
import { TextFilter } from '../parts/filters/text-filter';
import { ROLES, USER_FILTERS } from './users-query';

/** Maximum length that the service accepts. */
const MAX_KEYWORD = 100;
const MAX_EXTERNAL_ID = 128;

export function UserFilters({ view }: { view: ListView<AdminUserResponse> }) {
  const { t } = useTranslation(['panel', 'shared']);
  const url = useUrlState();
  return (
    <FilterBar names={USER_FILTERS} view={view}>
      <TextFilter name="keyword" label={t('users.keyword')} maxLength={MAX_KEYWORD} />
      <ChoiceFilter
        name="role"
        label={t('users.role')}
        options={ROLES.map((role) => ({ value: role, label: t(`shared:roles.${role}`) }))}
      />
      <ChoiceFilter
        name="status"
        label={t('users.status')}
        options={[
          { value: '1', label: t('users.enabled') },
          { value: '0', label: t('users.disabled') },
        ]}
      />
      <TextFilter name="external_id" label={t('users.externalId')} maxLength={MAX_EXTERNAL_ID} />
      <DayRange label={t('users.created')} />
      <Checkbox
        className="filter-box"
        checked={url.text('online') === '1'}
        onChange={({ target }) => url.set({ online: target.checked, page: null })}
      >
        {t('users.onlineOnly')}
      </Checkbox>
    </FilterBar>
  );
}
