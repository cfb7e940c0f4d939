import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../shared/url-state';
import { ScreenHeader } from '../parts/screen-header';
import { Configuration } from './configuration';
import { HealthTables } from './health-tables';
import './health.css';

/** State of the service, and its configuration. */
export function HealthScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isConfig = url.text('tab') === 'config';
  return (
    <>
      <ScreenHeader title={t('screens.health')}>
        <Segmented
          aria-label={t('screens.health')}
          value={isConfig ? 'config' : 'health'}
          options={[
            { value: 'health', label: t('screens.health') },
            { value: 'config', label: t('health.config') },
          ]}
          onChange={(tab) => url.set({ tab: tab === 'config' && tab })}
        />
      </ScreenHeader>
      {isConfig ? <Configuration /> : <HealthTables />}
    </>
  );
}
