import { ImportOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DeviceResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { useRowSelection } from '../parts/tables/row-selection';
import { ColumnPicker } from '../parts/columns/column-picker';
import { useVisibleColumns } from '../parts/columns/use-visible-columns';
import { ExportButton } from '../parts/export-button';
import { PagedTable } from '../parts/tables/paged-table';
import { ScreenHeader } from '../parts/screen-header';
import { BulkBar } from './bulk/bulk-bar';
import { DEVICE_COLUMNS, type DeviceColumn, DEFAULT_COLUMNS, useDeviceColumns } from './device-columns';
import { DeviceFilters } from './device-filters';
import { DEVICE_FILTERS, devicesQueryOf } from './devices-query';
import { CreateDevice } from './drawer/create-device';
import { DeviceDrawer } from './drawer/device-drawer';
import { ImportDrawer } from './import/import-drawer';
import './devices.css';

/** The device list, with search, bulk changes, import and export. */
export function DevicesScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const { sort, ...filters } = devicesQueryOf(url);
  const [columns, setVisibleColumns] = useVisibleColumns<DeviceColumn>(
    'devices',
    DEVICE_COLUMNS,
    DEFAULT_COLUMNS,
  );
  const { selected, setSelected, rowSelection } = useRowSelection<DeviceResponse>();
  return (
    <>
      <ScreenHeader title={t('screens.devices')}>
        <ColumnPicker
          options={DEVICE_COLUMNS.map((value) => ({ value, label: t(`devices.columns.${value}`) }))}
          visible={columns}
          onChange={setVisibleColumns}
        />
        <ExportButton path="/api/admin/devices/export" query={filters} fileName="devices.csv" />
        <Button
          icon={<ImportOutlined aria-hidden />}
          onClick={() => url.set({ import: true }, { push: true })}
        >
          {t('devices.import.open')}
        </Button>
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => url.set({ new: true, device: null }, { push: true })}
        >
          {t('devices.create')}
        </Button>
      </ScreenHeader>
      <DeviceFilters />
      <BulkBar selected={selected} onSelect={setSelected} />
      <PagedTable<DeviceResponse>
        queryKey={['devices', { sort, ...filters }]}
        fetch={(page, signal) => callboard.devices.list({ query: { ...page, sort, ...filters }, signal })}
        rowKey="id"
        isFiltered={DEVICE_FILTERS.some((name) => url.text(name) !== undefined)}
        columns={useDeviceColumns(columns)}
        rowSelection={rowSelection}
        onChange={(_pages, _filters, sorter, { action }) => {
          if (action === 'sort') url.set({ sort: sortOf(sorter), page: null });
        }}
      />
      <DeviceDrawer />
      <CreateDevice />
      <ImportDrawer />
    </>
  );
}

interface Sorter {
  columnKey?: React.Key;
  order?: 'ascend' | 'descend' | null;
}

function sortOf(sorter: Sorter | Sorter[]): string | null {
  const [{ columnKey, order } = {}] = [sorter].flat();
  if (columnKey === undefined || order === undefined || order === null) return null;
  return order === 'descend' ? `-${String(columnKey)}` : String(columnKey);
}
