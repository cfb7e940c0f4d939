import { ImportOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { ExportButton } from '../parts/export-button';
import { useListSelection } from '../parts/tables/row-selection';
import { useListView } from '../parts/tables/use-list-view';
import { PagedTable } from '../parts/tables/paged-table';
import { ScreenHeader } from '../parts/screen-header';
import { BulkBar } from './bulk/bulk-bar';
import { CreateUser } from './create-user';
import { UserDrawer } from './drawer/user-drawer';
import { UserImport } from './import/user-import';
import { useUserColumns } from './user-columns';
import { UserFilters } from './user-filters';
import { USER_FILTERS, usersQueryOf } from './users-query';
import './users.css';

/** The user list, with search, single and bulk changes. */
export function UsersScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const view = useListView('users', useUserColumns());
  const { sort, ...filters } = usersQueryOf(url);
  const selection = useListSelection<AdminUserResponse>(filters);
  return (
    <>
      <ScreenHeader title={t('screens.users')}>
        <ExportButton path="/api/admin/users/export" query={filters} fileName="users.csv" />
        <Button
          icon={<ImportOutlined aria-hidden />}
          onClick={() => url.set({ import: true }, { push: true })}
        >
          {t('imports.open')}
        </Button>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ create: true }, { push: true })}
        >
          {t('users.create')}
        </Button>
      </ScreenHeader>
      <UserFilters view={view} />
      <BulkBar selection={selection} filters={filters} />
      <PagedTable<AdminUserResponse>
        queryKey={['users', filters, sort]}
        fetch={(page, signal) => callboard.users.list({ query: { ...filters, sort, ...page }, signal })}
        rowKey="id"
        view={view}
        selection={selection}
        isFiltered={USER_FILTERS.some((name) => url.text(name) !== undefined)}
      />
      <CreateUser
        isOpen={url.text('create') !== undefined}
        onClose={() => url.set({ create: null })}
        onCreated={(user) => url.set({ create: null, user })}
      />
      <UserDrawer />
      <UserImport />
    </>
  );
}
