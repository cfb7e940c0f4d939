import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { useHealth, useHealthName } from './use-health';

/** One sentence: everything is healthy, or what is not. Empty until the state is loaded. */
export function HealthSummary() {
  const { t } = useTranslation('panel');
  const nameOf = useHealthName();
  const { down, isKnown } = useHealth();
  if (!isKnown) return null;
  return (
    <div aria-live="polite">
      {down.length === 0 ? (
        <Alert type="success" showIcon title={t('health.allWell')} />
      ) : (
        <Alert
          type="error"
          showIcon
          title={t('health.down', { names: down.map(({ name }) => nameOf(name)).join(' · ') })}
        />
      )}
    </div>
  );
}
