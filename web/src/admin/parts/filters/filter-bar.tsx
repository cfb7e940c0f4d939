import { Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import type { ListView } from '../tables/use-list-view';
import { ViewSettings } from '../tables/view-settings';
import './filters.css';

interface Props<Row> {
  /** Names of the filters in the URL. All of them are cleared together. */
  names: readonly string[];
  /** How the list is shown; its settings are at the end of the bar. */
  view: ListView<Row>;
  /** Name of the list, if a screen has several. */
  label?: string;
  children?: ReactNode;
}

/** The filters above a list, with its saved views, density and columns. */
export function FilterBar<Row>({ names, view, label, children }: Props<Row>) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const clear = (): void =>
    url.set(Object.fromEntries([...names, 'page', 'cursor'].map((name) => [name, null])));
  return (
    <Flex component="search" gap="small" align="flex-start" wrap className="filter-bar" aria-label={label}>
      {children}
      {names.some((name) => url.text(name) !== undefined) && (
        <Button type="link" onClick={clear}>
          {t('parts.clear')}
        </Button>
      )}
      <ViewSettings view={view} filters={names} />
    </Flex>
  );
}
