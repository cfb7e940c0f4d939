import { useFormat } from '../format';

interface Props {
  /** ISO 8601, or `2026-01-31 16:00:00` in the time zone of the service. */
  moment: string;
  /** `time`: `14:02`; `short`: `Yesterday`; `moment` (default): `Yesterday, 14:02`. */
  format?: 'time' | 'short' | 'moment';
  className?: string;
}

/** A timestamp, recent ones by day name, with the full date as a tooltip. */
export function Timestamp({ moment, format = 'moment', className }: Props) {
  const formatted = useFormat();
  return (
    <time dateTime={moment} title={formatted.full(moment)} className={className}>
      {formatted[format](moment)}
    </time>
  );
}
