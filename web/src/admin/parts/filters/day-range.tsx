import { Flex, Input, Typography } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';

/** A range of days in the service's time zone, both included, stored as `from` and `to` in the URL. */
export function DayRange({ label }: { label: string }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const problem = useId();
  const [from, to] = [url.text('from'), url.text('to')];
  const isRangeReversed = isReversed(from, to);
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
            status={isRangeReversed && name === 'to' ? 'error' : ''}
            aria-invalid={isRangeReversed && name === 'to'}
            aria-describedby={problem}
            onChange={({ target }) => url.set({ [name]: target.value, page: null, cursor: null })}
          />
        ))}
      </Flex>
      <output id={problem} className="filter-problem">
        {isRangeReversed && t('lists.rangeReversed')}
      </output>
    </fieldset>
  );
}

/** Whether a range ends before it starts. Such a range is not sent to the service. */
export const isReversed = (from: string | undefined, to: string | undefined): boolean =>
  from !== undefined && to !== undefined && to < from;
