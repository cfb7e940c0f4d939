import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { HealthSummary } from '../health/health-summary';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { CallOutcomes } from './call-outcomes';
import { DailyFigures } from './daily-figures';
import { Tiles } from './tiles';
import { useOverview } from './use-overview';
import { OverviewFilters } from './overview-filters';
import './overview.css';

/** Current activity, and statistics of past days. */
export function OverviewScreen() {
  const { t } = useTranslation('panel');
  const { data, error, refetch } = useOverview();
  return (
    <>
      <ScreenHeader title={t('screens.overview')} />
      <Flex vertical gap="middle">
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        {data && <Tiles overview={data} />}
        <section aria-labelledby="overview-health">
          <Flex justify="space-between" align="baseline">
            <h2 id="overview-health">{t('overview.health')}</h2>
            <Link href="/health">{t('overview.toHealth')}</Link>
          </Flex>
          <HealthSummary />
        </section>
        {data && (
          <section aria-labelledby="overview-development">
            <Flex justify="space-between" align="center" gap="small" wrap>
              <h2 id="overview-development">{t('overview.development')}</h2>
              <OverviewFilters />
            </Flex>
            <CallOutcomes today={data.today.day} />
            <DailyFigures days={data.days} />
          </section>
        )}
      </Flex>
    </>
  );
}
