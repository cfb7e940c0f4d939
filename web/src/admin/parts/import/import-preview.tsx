import { Checkbox, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { PagedRows } from '../tables/paged-rows';
import { Status } from '../status';
import type { ImportResult, ImportSource } from './import-source';
import type { FileRow, ImportFile } from './read-file';
import { SaveErrors } from './save-errors';
import { useLineErrors } from './use-line-errors';

interface Props {
  source: ImportSource;
  file: ImportFile;
  /** Planned outcome of each line; undefined until the service has checked them. */
  plan: ImportResult | undefined;
}

const PAGE_SIZE = 8;

/** Lines of a file, each with its planned outcome. */
export function ImportPreview({ source, file, plan }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [isErrorsOnly, setErrorsOnly] = useState(false);
  const errors = useLineErrors(source, file, plan?.lines);
  const messages = new Map(errors.map(({ line, message }) => [line, message]));
  const results = new Map(plan?.lines.map(({ line, result }) => [line, result]));
  const isFiltered = isErrorsOnly && errors.length > 0;
  const describeResult = (line: number) => {
    const message = messages.get(line);
    if (message !== undefined) return <Status kind="error" label={message} />;
    const result = results.get(line);
    return result === undefined || result === 'error' ? null : t(`imports.results.${result}`);
  };
  return (
    <section aria-label={t('imports.preview')}>
      {file.ignored.length > 0 && (
        <p className="soft">{t('imports.ignored', { names: file.ignored.join(', ') })}</p>
      )}
      {errors.length > 0 && (
        <Flex justify="space-between" align="center" wrap gap="small" style={{ marginBottom: '0.5rem' }}>
          <Checkbox checked={isErrorsOnly} onChange={({ target }) => setErrorsOnly(target.checked)}>
            {t('imports.errorsOnly', { lines: format.number(errors.length) })}
          </Checkbox>
          <SaveErrors keyColumn={source.columns.key} fileName={file.name} errors={errors} />
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
          { key: 'line', title: t('imports.line'), render: ({ line }) => line },
          {
            key: 'verdict',
            title: t('imports.verdict'),
            render: ({ line }) => describeResult(line),
          },
          ...file.columns.map((column, index) => ({
            key: column,
            title: column,
            render: ({ cells }: FileRow) => cells[index] ?? '',
          })),
        ]}
      />
    </section>
  );
}
