import { Checkbox, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDevicesResponse } from '@callboard/client';
import { useFormat } from '../../format';
import { PagedRows } from '../../parts/tables/paged-rows';
import { Status } from '../../parts/status';
import type { CsvRecord } from './parse-csv';
import type { DeviceFile } from './device-file';
import { SaveErrors } from './save-errors';
import { useLineErrors } from './use-line-errors';

interface Props {
  file: DeviceFile;
  /** Planned outcome of each line; undefined until the service has checked them. */
  plan: ImportDevicesResponse | undefined;
}

const PAGE_SIZE = 8;

/** Lines of a file, each with its planned outcome. */
export function ImportPreview({ file, plan }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [isErrorsOnly, setErrorsOnly] = useState(false);
  const errors = useLineErrors(file, plan?.lines);
  const messages = new Map(errors.map(({ line, message }) => [line, message]));
  const results = new Map(plan?.lines.map(({ line, result }) => [line, result]));
  const isFiltered = isErrorsOnly && errors.length > 0;
  const describeResult = (line: number) => {
    const message = messages.get(line);
    if (message !== undefined) return <Status kind="error" label={message} />;
    const result = results.get(line);
    return result === undefined || result === 'error' ? null : t(`devices.import.results.${result}`);
  };
  return (
    <section aria-label={t('devices.import.preview')}>
      {file.ignored.length > 0 && (
        <p className="soft">{t('devices.import.ignored', { names: file.ignored.join(', ') })}</p>
      )}
      {errors.length > 0 && (
        <Flex justify="space-between" align="center" wrap gap="small">
          <Checkbox checked={isErrorsOnly} onChange={({ target }) => setErrorsOnly(target.checked)}>
            {t('devices.import.errorsOnly', { lines: format.number(errors.length) })}
          </Checkbox>
          <SaveErrors fileName={file.name} errors={errors} />
        </Flex>
      )}
      <PagedRows
        // Starts on the first page again when the filter is switched.
        key={String(isFiltered)}
        perPage={PAGE_SIZE}
        rowKey="line"
        onRow={({ line }) => ({ className: messages.has(line) ? 'wrong' : undefined })}
        rows={isFiltered ? file.rows.filter(({ line }) => messages.has(line)) : file.rows}
        columns={[
          { key: 'line', title: t('devices.import.line'), render: ({ line }) => line },
          {
            key: 'verdict',
            title: t('devices.import.verdict'),
            render: ({ line }) => describeResult(line),
          },
          ...file.columns.map((column, index) => ({
            key: column,
            title: column,
            render: ({ cells }: CsvRecord) => cells[index] ?? '',
          })),
        ]}
      />
    </section>
  );
}
