import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { changeSince, sparklineOf } from './charts/sparkline';

const WIDTH = 96;
const HEIGHT = 24;

/**
 * Change of today against yesterday, and the last days as a line.
 *
 * @param values one value per day, oldest first, ending with today
 */
export function Trend({ values }: { values: readonly number[] }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [yesterday, today = 0] = values.slice(-2);
  if (yesterday === undefined) return null;
  const change = changeSince(yesterday, today);
  return (
    <div className="trend">
      <span className={change === undefined || change === 0 ? undefined : change > 0 ? 'rise' : 'fall'}>
        {change !== undefined && (
          <>
            <span aria-hidden="true">{change > 0 ? '▲' : change < 0 ? '▼' : '='}</span>
            {` ${format.percent(change)} `}
          </>
        )}
        {t('overview.yesterday', { total: format.number(yesterday) })}
      </span>
      {/* The charts and tables below have the same numbers. */}
      <svg aria-hidden="true" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <polyline points={sparklineOf(values, WIDTH, HEIGHT)} />
      </svg>
    </div>
  );
}
