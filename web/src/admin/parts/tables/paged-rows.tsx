import { Flex, Pagination } from 'antd';
import { useState } from 'react';
import { DataTable, type DataTableProps } from './data-table';

interface Props<Row extends object> extends Omit<DataTableProps<Row>, 'selection' | 'density'> {
  perPage: number;
}

/** Rows that the page already has, such as the lines of a file, one page of them at a time. */
export function PagedRows<Row extends object>({ rows, perPage, ...table }: Props<Row>) {
  const [page, setPage] = useState(1);
  const first = (page - 1) * perPage;
  return (
    <Flex vertical gap="small">
      <DataTable density="small" {...table} rows={rows.slice(first, first + perPage)} />
      <Pagination
        size="small"
        align="end"
        hideOnSinglePage
        showSizeChanger={false}
        current={page}
        pageSize={perPage}
        total={rows.length}
        onChange={setPage}
      />
    </Flex>
  );
}
