import type { PointerEvent } from 'react';
import { useFormat } from '../../format';
import { type ChartProps, gridOf, sum } from './chart-data';
import { useWidth } from './use-width';

interface Props extends ChartProps {
  pointedAt: number | undefined;
  onPoint: (bar: number | undefined) => void;
}

const HEIGHT = 200;
const TOP = 8;
const BOTTOM = 22;
const LEFT = 44;
/** Wide enough for a date. */
const LABEL_WIDTH = 56;
const GAP = 1;

/** Stacked bars. The table of the same data is the alternative for screen readers and keyboards. */
export function BarChart({ title, bars, series, pointedAt, onPoint }: Props) {
  const format = useFormat();
  const [frame, width] = useWidth<HTMLDivElement>();
  const grid = gridOf(Math.max(...bars.map(({ values }) => sum(values))));
  const highest = grid.at(-1) ?? 1;
  const step = Math.max(0, width - LEFT) / Math.max(1, bars.length);
  const y = (value: number): number => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / highest);
  const labelEvery = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(1, step)));
  const point = ({ nativeEvent: { offsetX } }: PointerEvent): void => {
    const index = Math.floor((offsetX - LEFT) / step);
    onPoint(index >= 0 && index < bars.length ? index : undefined);
  };
  return (
    <div ref={frame} className="chart-frame" onPointerMove={point} onPointerLeave={() => onPoint(undefined)}>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, not loaded from a file */}
      <svg role="img" aria-label={title} width={width} height={HEIGHT}>
        {grid.map((value) => (
          <g key={value} className="grid">
            <line x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value)} dy="0.32em" textAnchor="end">
              {format.number(value)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => {
          const x = LEFT + index * step;
          return (
            <g key={bar.from} className={index === pointedAt ? 'bar pointed-at' : 'bar'}>
              <rect className="ground" x={x} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
              {series.map(({ name }, part) => {
                const below = sum(bar.values.slice(0, part));
                const height = y(below) - y(below + (bar.values[part] ?? 0));
                return height <= 0 ? null : (
                  <rect
                    key={name}
                    className={`series-${name}`}
                    x={x + Math.min(2, step * 0.1)}
                    y={y(below) - height}
                    width={Math.max(1, step - 2 * Math.min(2, step * 0.1))}
                    height={Math.max(1, height - GAP)}
                  />
                );
              })}
              {(bars.length - 1 - index) % labelEvery === 0 && (
                <text x={x + step / 2} y={HEIGHT - 6} textAnchor="middle">
                  {bar.to.slice(5)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
