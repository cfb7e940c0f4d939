import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { CallOutcomes } from '../overview/call-outcomes';
import { OverviewFilters } from '../overview/overview-filters';
import { useOverview } from '../overview/use-overview';
import '../overview/overview.css';

/** Outcomes of the calls of the last days, as a chart or a table. */
export function RecentOutcomes() {
  const { t } = useTranslation('panel');
  const { data } = useOverview();
  if (data === undefined) return null;
  return (
    <section aria-labelledby="calls-outcomes" style={{ marginTop: '1rem' }}>
      <Flex justify="space-between" align="center" gap="small" wrap>
        <h2 id="calls-outcomes">{t('calls.outcomes')}</h2>
        <OverviewFilters />
      </Flex>
      <CallOutcomes today={data.today.day} />
    </section>
  );
}
