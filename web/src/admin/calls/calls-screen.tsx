import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { ScreenHeader } from '../parts/screen-header';
import { CallDrawer } from './detail/call-drawer';
import { CallHistory } from './call-history';
import { LiveCalls } from './live-calls';
import { RecentOutcomes } from './recent-outcomes';
import './calls.css';

/** Current and past calls. */
export function CallsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isHistory = url.text('tab') === 'history';
  return (
    <>
      <ScreenHeader title={t('screens.calls')}>
        <Segmented
          aria-label={t('screens.calls')}
          value={isHistory ? 'history' : 'live'}
          options={[
            { value: 'live', label: t('calls.live') },
            { value: 'history', label: t('calls.history') },
          ]}
          // Both lists store their columns in `columns`.
          onChange={(tab) => url.set({ tab: tab === 'history' && tab, columns: null })}
        />
      </ScreenHeader>
      {isHistory ? (
        <CallHistory />
      ) : (
        <>
          <LiveCalls />
          <RecentOutcomes />
        </>
      )}
      <CallDrawer />
    </>
  );
}
