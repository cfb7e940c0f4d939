import { useFormat } from '../format';

interface Props {
  /** ISO 8601, or on the clocks of the service. */
  moment: string;
  /** `time`: `14:02`; `short`: `Yesterday`; left out: `Yesterday, 14:02`. */
  format?: 'time' | 'short' | 'moment';
  className?: string;
}

/** A moment, near ones by their day, with the full date as its tooltip. */
export function When({ moment, format = 'moment', className }: Props) {
  const formatted = useFormat();
  return (
    <time dateTime={moment} title={formatted.full(moment)} className={className}>
      {formatted[format](moment)}
    </time>
  );
}
