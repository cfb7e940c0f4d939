import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { useOverviewFilters } from '../use-overview-filters';
import { BarChart } from './bar-chart';
import { type Bar, type ChartProps, spanOf, sum } from './chart-data';
import { ChartTable } from './chart-table';

interface Props extends ChartProps {
  /** Note next to the title. */
  remark?: string;
  /** Whether a sum of the bars is meaningful. */
  hasSum?: boolean;
}

/** Values over time: as a bar chart, whose legend shows the values of the bar under the pointer, or as a table. */
export function Chart({ title, bars, series, remark, hasSum = true }: Props) {
  const { t } = useTranslation('panel');
  const { isTable } = useOverviewFilters();
  const [pointedAt, setPointedAt] = useState<number>();
  const id = useId();
  const bar = pointedAt === undefined ? undefined : bars[pointedAt];
  const isEmpty = bars.every(({ values }) => sum(values) === 0);
  const all: Bar | undefined = hasSum
    ? {
        from: bars[0]?.from ?? '',
        to: bars.at(-1)?.to ?? '',
        values: series.map((_, index) => sum(bars.map(({ values }) => values[index] ?? 0))),
      }
    : bars.at(-1);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <h3>{title}</h3>
        {remark !== undefined && <span>{remark}</span>}
      </figcaption>
      {isTable ? (
        <ChartTable title={title} bars={bars} series={series} />
      ) : (
        <>
          <BarChart
            title={t('overview.chartOf', { title })}
            bars={bars}
            series={series}
            pointedAt={pointedAt}
            onPoint={setPointedAt}
          />
          {isEmpty ? <p>{t('overview.nothing')}</p> : <Legend bar={bar ?? all} series={series} />}
        </>
      )}
    </figure>
  );
}

/** Legend of the colours, with the values of a bar. */
function Legend({ bar, series }: { bar: Bar | undefined; series: ChartProps['series'] }) {
  const format = useFormat();
  if (bar === undefined) return null;
  return (
    <div className="legend">
      <span className="legend-span">{spanOf(bar)}</span>
      <ul>
        {series.map(({ name, label }, index) => (
          <li key={name}>
            <span className={`swatch series-${name}`} />
            {label} <strong>{format.number(bar.values[index] ?? 0)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
