import { Button, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUrlState } from '../../../shared/url-state';
import './filters.css';

interface Props {
  /** Names of the filters in the URL. All of them are cleared together. */
  names: readonly string[];
  children: ReactNode;
}

/** The filters above a list. */
export function FilterBar({ names, children }: Props) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const clear = (): void =>
    url.set(Object.fromEntries([...names, 'page', 'cursor'].map((name) => [name, null])));
  return (
    <Flex component="search" gap="small" align="flex-start" wrap className="filter-bar">
      {children}
      {names.some((name) => url.text(name) !== undefined) && (
        <Button type="link" onClick={clear}>
          {t('parts.clear')}
        </Button>
      )}
    </Flex>
  );
}
