import { Flex, Input, Typography } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';

/** A stretch of days of the service's time zone, `from` and `to` in the address, both included. */
export function DayRange({ label }: { label: string }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const problem = useId();
  const [from, to] = [url.text('from'), url.text('to')];
  const isTurnedRound = isTurned(from, to);
  return (
    <fieldset className="filter-days" aria-label={label}>
      <Flex align="center" gap={6} wrap>
        <Typography.Text type="secondary">{label}</Typography.Text>
        {(['from', 'to'] as const).map((name) => (
          <Input
            key={name}
            className="filter-day"
            type="date"
            aria-label={t(`lists.${name}`)}
            value={url.text(name) ?? ''}
            status={isTurnedRound && name === 'to' ? 'error' : ''}
            aria-invalid={isTurnedRound && name === 'to'}
            aria-describedby={problem}
            onChange={({ target }) => url.set({ [name]: target.value, page: null, cursor: null })}
          />
        ))}
      </Flex>
      <output id={problem} className="filter-problem">
        {isTurnedRound && t('lists.turnedRound')}
      </output>
    </fieldset>
  );
}

/** Whether a stretch of days ends before it begins: of such a one there is nothing to ask. */
export const isTurned = (from: string | undefined, to: string | undefined): boolean =>
  from !== undefined && to !== undefined && to < from;
