import { Flex, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { MEDIA, PERIODS, useOverviewFilters } from './use-overview-filters';

const YEAR = 365;

/** Selects the period, the kind of call, and charts or tables. */
export function OverviewFilters() {
  const { t } = useTranslation('panel');
  const filters = useOverviewFilters();
  return (
    <Flex gap="small" wrap>
      <Segmented
        aria-label={t('overview.period')}
        value={filters.days}
        options={PERIODS.map((value) => ({
          value,
          label: value === YEAR ? t('overview.year') : t('overview.days', { count: value }),
        }))}
        onChange={filters.setDays}
      />
      <Segmented
        aria-label={t('overview.media')}
        value={filters.media ?? 'all'}
        options={[
          { value: 'all', label: t('overview.allMedia') },
          ...MEDIA.map((value) => ({ value, label: t(`calls.media.${value}`) })),
        ]}
        onChange={filters.setMedia}
      />
      <Segmented
        aria-label={t('overview.show')}
        value={filters.isTable ? 'table' : 'charts'}
        options={[
          { value: 'charts', label: t('overview.charts') },
          { value: 'table', label: t('overview.table') },
        ]}
        onChange={(value) => filters.setTable(value === 'table')}
      />
    </Flex>
  );
}
