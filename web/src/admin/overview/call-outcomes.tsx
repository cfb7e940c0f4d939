import type { CallDayResponse } from '@callboard/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useLanguage } from '../../shared/i18n/i18n';
import { ErrorAlert } from '../parts/error-alert';
import type { Bar } from './charts/chart-data';
import { Chart } from './charts/chart';
import { byWeek, daysBefore } from './days';
import { useOverviewFilters } from './use-overview-filters';

const OUTCOMES = ['answered', 'rejected', 'cancelled', 'no_answer', 'busy'] as const;
const REFETCH_MS = 30_000;
/** Above this number of days a bar is a week: more bars would be illegible on a small screen. */
const MAX_BARS = 92;

const toBar = (days: CallDayResponse[]): Bar => ({
  from: days[0]?.day ?? '',
  to: days.at(-1)?.day ?? '',
  values: OUTCOMES.map((outcome) => days.reduce((sum, day) => sum + day[outcome], 0)),
});

/**
 * Outcomes of calls over time. `today` is the current day in the service's time zone, which may differ from the
 * browser's.
 */
export function CallOutcomes({ today }: { today: string }) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const { days, media } = useOverviewFilters();
  const query = { from: daysBefore(today, days - 1), to: today, media_type: media };
  const { data, error, refetch } = useQuery({
    queryKey: ['overview', 'calls', query],
    queryFn: ({ signal }) => callboard.statistics.getCall({ query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton active title={false} />;
  const isWeekly = data.days.length > MAX_BARS;
  const bars = (isWeekly ? byWeek(data.days) : data.days.map((day) => [day])).map(toBar);
  const rate = data.total.answer_rate?.toLocaleString(language, { style: 'percent' });
  return (
    <Chart
      title={t(isWeekly ? 'overview.outcomesWeekly' : 'overview.outcomes', { count: days })}
      remark={rate === undefined ? undefined : t('overview.answerRate', { rate })}
      bars={bars}
      series={OUTCOMES.map((outcome) => ({ name: outcome, label: t(`overview.outcome.${outcome}`) }))}
    />
  );
}
