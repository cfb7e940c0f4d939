import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { ExportButton } from '../parts/export-button';
import { useRowSelection } from '../parts/tables/row-selection';
import { ColumnPicker } from '../parts/columns/column-picker';
import { useVisibleColumns } from '../parts/columns/use-visible-columns';
import { PagedTable } from '../parts/tables/paged-table';
import { ScreenHeader } from '../parts/screen-header';
import { BulkBar } from './bulk/bulk-bar';
import { CreateUser } from './create-user';
import { UserDrawer } from './drawer/user-drawer';
import { USER_COLUMNS, DEFAULT_COLUMNS, useUserColumns } from './user-columns';
import { UserFilters } from './user-filters';
import { USER_FILTERS, usersQueryOf } from './users-query';
import './users.css';

/** The user list, with search, single and bulk changes. */
export function UsersScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const [visibleColumns, setVisibleColumns] = useVisibleColumns('users', USER_COLUMNS, DEFAULT_COLUMNS);
  const columns = useUserColumns(visibleColumns);
  const { selected, setSelected, rowSelection } = useRowSelection<AdminUserResponse>();
  const { sort, ...filters } = usersQueryOf(url);
  return (
    <>
      <ScreenHeader title={t('screens.users')}>
        <ColumnPicker
          options={USER_COLUMNS.map((value) => ({ value, label: t(`users.columns.${value}`) }))}
          visible={visibleColumns}
          onChange={setVisibleColumns}
        />
        <ExportButton path="/api/admin/users/export" query={filters} fileName="users.csv" />
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ create: true }, { push: true })}
        >
          {t('users.create')}
        </Button>
      </ScreenHeader>
      <UserFilters />
      <BulkBar selected={selected} onSelect={setSelected} />
      <PagedTable<AdminUserResponse>
        queryKey={['users', filters, sort]}
        fetch={(page, signal) => callboard.users.list({ query: { ...filters, sort, ...page }, signal })}
        rowKey="id"
        columns={columns}
        rowSelection={rowSelection}
        isFiltered={USER_FILTERS.some((name) => url.text(name) !== undefined)}
        onChange={(_page, _filters, sorter, { action }) => {
          if (action === 'sort') url.set({ sort: sortOf(sorter), page: null });
        }}
      />
      <CreateUser
        isOpen={url.text('create') !== undefined}
        onClose={() => url.set({ create: null })}
        onCreated={(user) => url.set({ create: null, user })}
      />
      <UserDrawer />
    </>
  );
}

type Sorter = Parameters<NonNullable<Parameters<typeof PagedTable<AdminUserResponse>>[0]['onChange']>>[2];

/** Converts a sort order to the service's format: descending with a leading `-`; null for the order by id. */
function sortOf(sorter: Sorter): string | null {
  const [first] = [sorter].flat();
  if (first?.order === undefined || first.order === null) return null;
  return `${first.order === 'descend' ? '-' : ''}${String(first.columnKey)}`;
}
