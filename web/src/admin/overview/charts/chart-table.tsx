import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { type ChartProps, spanOf, sum } from './chart-data';

/** The values of a chart as a table, newest first. */
export function ChartTable({ title, bars, series }: ChartProps) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const isStacked = series.length > 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- must be scrollable by keyboard
    <section className="chart-table" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              {t(bars.some(({ from, to }) => from !== to) ? 'overview.week' : 'overview.day')}
            </th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
            {isStacked && <th scope="col">{t('overview.together')}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.from}>
              <th scope="row">{spanOf(bar)}</th>
              {bar.values.map((value, index) => (
                <td key={series[index]?.name}>{format.number(value)}</td>
              ))}
              {isStacked && <td>{format.number(sum(bar.values))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
