import { Flex, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { MEDIA, PERIODS, useView } from './use-view';

const YEAR = 365;

/** Selects the period, the kind of call, and charts or tables. */
export function View() {
  const { t } = useTranslation('panel');
  const view = useView();
  return (
    <Flex gap="small" wrap>
      <Segmented
        aria-label={t('overview.period')}
        value={view.days}
        options={PERIODS.map((value) => ({
          value,
          label: value === YEAR ? t('overview.year') : t('overview.days', { count: value }),
        }))}
        onChange={view.showDays}
      />
      <Segmented
        aria-label={t('overview.media')}
        value={view.media ?? 'all'}
        options={[
          { value: 'all', label: t('overview.allMedia') },
          ...MEDIA.map((value) => ({ value, label: t(`calls.media.${value}`) })),
        ]}
        onChange={view.showMedia}
      />
      <Segmented
        aria-label={t('overview.show')}
        value={view.isTable ? 'table' : 'charts'}
        options={[
          { value: 'charts', label: t('overview.charts') },
          { value: 'table', label: t('overview.table') },
        ]}
        onChange={(value) => view.showTable(value === 'table')}
      />
    </Flex>
  );
}
