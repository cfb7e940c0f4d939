import type { OverviewDayResponse } from '@callboard/client';
import { Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Chart } from './charts/chart';
import { useOverviewFilters } from './use-overview-filters';

const FIGURES = [
  { name: 'messages', label: 'overview.messages', title: 'overview.messagesOf' },
  { name: 'active_users', label: 'overview.activeUsers', title: 'overview.activeOf' },
  { name: 'new_users', label: 'overview.newUsers', title: 'overview.newOf' },
] as const;

/** Messages and users per day, for 30 days. */
export function DailyFigures({ days }: { days: OverviewDayResponse[] }) {
  const { t } = useTranslation('panel');
  const view = useOverviewFilters();
  const shown = days.slice(-view.days);
  return (
    <>
      {view.days > days.length && (
        <Typography.Text type="secondary">{t('overview.monthMost')}</Typography.Text>
      )}
      <div className="charts">
        {FIGURES.map(({ name, label, title }) => (
          <Chart
            key={name}
            title={t(title, { count: shown.length })}
            // A user who was active on two days would be counted twice.
            hasSum={name !== 'active_users'}
            bars={shown.map((each) => ({ from: each.day, to: each.day, values: [each[name]] }))}
            series={[{ name, label: t(label) }]}
          />
        ))}
      </div>
    </>
  );
}
