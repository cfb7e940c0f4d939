import { useQuery } from '@tanstack/react-query';
import { Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import type { ListSelection } from '../tables/row-selection';
import './selection-bar.css';

interface Props<Row> {
  title: string;
  selection: ListSelection<Row>;
  /** Query key of the list with its filters. */
  queryKey: readonly unknown[];
  /** Counts the rows that match the filters. */
  countMatching: (signal: AbortSignal) => Promise<number>;
  /** Maximum number of rows that the service changes at once, unless all that match are selected. */
  maxRows: number;
  isBusy?: boolean;
  /** The actions. `total` is the number of selected rows. */
  children: (state: { total: number; isDisabled: boolean }) => ReactNode;
  /** Shown below the actions: why they were rejected. */
  footer?: ReactNode;
}

/** Actions on the selected rows of a list, or on all rows that match its filters. */
export function SelectionBar<Row>(props: Props<Row>) {
  const { title, selection, queryKey, countMatching, maxRows, isBusy = false, children, footer } = props;
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { selected, isAllMatching } = selection;
  const { data: matching = 0 } = useQuery({
    queryKey: [...queryKey, 'count'],
    queryFn: ({ signal }) => countMatching(signal),
    enabled: selected.size > 0,
  });
  if (selected.size === 0) return <output className="for-screen-readers">{t('lists.noneSelected')}</output>;
  const total = isAllMatching ? matching : selected.size;
  const isTooMany = !isAllMatching && total > maxRows;
  return (
    <section className="bulk-bar" aria-label={title} aria-busy={isBusy}>
      <Flex gap="small" align="center" wrap>
        <output>
          {t(isAllMatching ? 'lists.allMatching' : 'lists.selected', { total: format.number(total) })}
        </output>
        {!isAllMatching && matching > selected.size && (
          <Button type="link" onClick={selection.selectAllMatching}>
            {t('lists.selectMatching', { total: format.number(matching) })}
          </Button>
        )}
        {children({ total, isDisabled: isBusy || isTooMany })}
        <Button type="link" onClick={() => selection.select(new Map())}>
          {t('lists.clearSelection')}
        </Button>
        {isTooMany && <span role="alert">{t('lists.tooMany', { most: maxRows })}</span>}
      </Flex>
      {footer}
    </section>
  );
}
