import type { AdminCallDetailResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../../shared/client-config';
import { toInstant } from '../../../shared/format';
import { useFormat } from '../../format';
import '../../overview/overview.css';

const SECOND_MS = 1_000;

/** Durations of the phases of an ended call, in proportion: ringing, connecting, talking. */
export function CallPhases({ call }: { call: AdminCallDetailResponse }) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const timeZone = useClientConfig()?.time_zone;
  const { created_at: placedAt, accepted_at: acceptedAt, started_at: startedAt, ended_at: endedAt } = call;
  if (endedAt === null) return null;
  const secondsBetween = (from: string, to: string): number =>
    Math.max(0, toInstant(to, timeZone) - toInstant(from, timeZone)) / SECOND_MS;
  const phases = [
    { key: 'ringing', series: 'no_answer', from: placedAt, to: acceptedAt ?? endedAt },
    { key: 'connecting', series: 'messages', from: acceptedAt, to: startedAt ?? endedAt },
    { key: 'talking', series: 'answered', from: startedAt, to: endedAt },
  ] as const;
  const passed = phases.flatMap(({ key, series, from, to }) =>
    from === null ? [] : [{ key, series, seconds: secondsBetween(from, to) }],
  );
  const total = passed.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <div className="call-phases">
      <div className="call-phases-bar" aria-hidden>
        {passed.map(({ key, series, seconds }) => (
          <span
            key={key}
            className={`series-${series}`}
            style={{ flexGrow: total === 0 ? 1 : seconds / total }}
          />
        ))}
      </div>
      <ul aria-label={t('calls.phases.title')}>
        {passed.map(({ key, series, seconds }) => (
          <li key={key}>
            <span className={`swatch series-${series}`} />
            {t(`calls.phases.${key}`)} <strong>{format.duration(seconds)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
