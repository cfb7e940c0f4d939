import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ListSelection, type NamedRow, toggleRows } from './row-selection';

interface PageCheckboxProps {
  page: readonly NamedRow[];
  selection: ListSelection<NamedRow>;
  /** Whether the label is shown, not only read. */
  hasLabel?: boolean;
}

/** Selects all rows of the page. */
export function PageCheckbox({ page, selection, hasLabel = false }: PageCheckboxProps) {
  const { t } = useTranslation('panel');
  const { selected, isAllMatching, select } = selection;
  const total = page.filter(({ id }) => selected.has(id)).length;
  return (
    <Checkbox
      aria-label={hasLabel ? undefined : t('lists.chooseAll')}
      checked={isAllMatching || (page.length > 0 && total === page.length)}
      indeterminate={!isAllMatching && total > 0 && total < page.length}
      onChange={({ target }) => select(toggleRows(selected, page, target.checked))}
    >
      {hasLabel && t('lists.chooseAll')}
    </Checkbox>
  );
}

/** Selects a row. */
export function RowCheckbox({ row, selection }: { row: NamedRow; selection: ListSelection<NamedRow> }) {
  const { t } = useTranslation('panel');
  const { selected, isAllMatching, select } = selection;
  return (
    <Checkbox
      aria-label={t('lists.chooseRow', { name: row.name })}
      checked={isAllMatching || selected.has(row.id)}
      onChange={({ target }) => select(toggleRows(selected, [row], target.checked))}
    />
  );
}
