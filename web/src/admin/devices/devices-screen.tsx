import { ImportOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { useListSelection } from '../parts/tables/row-selection';
import { useListView } from '../parts/tables/use-list-view';
import { ExportButton } from '../parts/export-button';
import { PagedTable } from '../parts/tables/paged-table';
import { ScreenHeader } from '../parts/screen-header';
import { BulkBar } from './bulk/bulk-bar';
import { useDeviceColumns } from './device-columns';
import { DeviceFilters } from './device-filters';
import { DEVICE_FILTERS, devicesQueryOf } from './devices-query';
import { CreateDevice } from './drawer/create-device';
import { DeviceDrawer } from './drawer/device-drawer';
import { DeviceImport } from './import/device-import';
import './devices.css';

/** The device list, with search, bulk changes, import and export. */
export function DevicesScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const { sort, ...filters } = devicesQueryOf(url);
  const view = useListView('devices', useDeviceColumns());
  const selection = useListSelection<DeviceResponse>(filters);
  return (
    <>
      <ScreenHeader title={t('screens.devices')}>
        <ExportButton path="/api/admin/devices/export" query={filters} fileName="devices.csv" />
        <Button
          icon={<ImportOutlined aria-hidden />}
          onClick={() => url.set({ import: true }, { push: true })}
        >
          {t('imports.open')}
        </Button>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ new: true, device: null }, { push: true })}
        >
          {t('devices.create')}
        </Button>
      </ScreenHeader>
      <DeviceFilters view={view} />
      <BulkBar selection={selection} filters={filters} />
      <PagedTable<DeviceResponse>
        queryKey={['devices', { sort, ...filters }]}
        fetch={(page, signal) => callboard.devices.list({ query: { ...page, sort, ...filters }, signal })}
        rowKey="id"
        isFiltered={DEVICE_FILTERS.some((name) => url.text(name) !== undefined)}
        view={view}
        selection={selection}
      />
      <DeviceDrawer />
      <CreateDevice />
      <DeviceImport />
    </>
  );
}
