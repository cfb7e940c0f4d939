import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Flex } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useFormat } from '../../format';
import { FileDrop } from './file-drop';
import type { ImportEvents } from './import-drawer';
import { IMPORT_QUERY, ImportPlan } from './import-plan';
import { ImportReport } from './import-report';
import type { ImportResult, ImportSource } from './import-source';
import { type FileProblem, type ImportFile, readImportFile } from './read-file';
import { saveTemplate } from './save-template';

interface Props extends ImportEvents {
  source: ImportSource;
  /** Fields of the import's parameters, shown once a file is selected. */
  options?: ReactNode;
}

/** The steps of an import: file selection, preview, import, report. */
export function ImportSteps({ source, options, onBusy, onClose }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const { kind } = source;
  const [read, setRead] = useState<{ file?: ImportFile; problem?: FileProblem; name?: string }>({});
  const [report, setReport] = useState<ImportResult>();
  const { file, problem } = read;

  const readFile = async (selectedFile: File): Promise<void> => {
    // Removes the previous file first, so that it cannot be imported while this one is read.
    setRead({});
    setReport(undefined);
    importing.reset();
    const result = await readImportFile(selectedFile, source.columns);
    setRead('kind' in result ? { problem: result, name: selectedFile.name } : { file: result });
  };
  const importing = useServiceMutation(
    async (importedFile: ImportFile) => {
      onBusy(true);
      try {
        setReport(await source.send(importedFile, { isDryRun: false }));
      } finally {
        // Before the lists are refetched, which can take long.
        onBusy(false);
      }
    },
    // Includes the preview, whose outcome has changed as well.
    { changes: [...source.changes, IMPORT_QUERY] },
  );

  if (file !== undefined && report !== undefined)
    return (
      <Flex vertical gap="middle">
        <ImportReport source={source} file={file} report={report} />
        <Flex gap="small" justify="end">
          <Button
            onClick={() => {
              setRead({});
              setReport(undefined);
            }}
          >
            {t('imports.another')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('parts.close')}
          </Button>
        </Flex>
      </Flex>
    );
  return (
    <Flex vertical gap="middle">
      <FileDrop
        isDisabled={importing.isPending}
        isCompact={file !== undefined}
        hint={t(`${kind}.import.form`)}
        sample={t(`${kind}.import.sample`)}
        onFile={(selectedFile) => void readFile(selectedFile)}
      />
      {file === undefined && (
        <Button
          icon={<DownloadOutlined aria-hidden />}
          style={{ alignSelf: 'start' }}
          onClick={() => saveTemplate(source.template, `${kind}-template.csv`)}
        >
          {t('imports.template')}
        </Button>
      )}
      {problem !== undefined && (
        <Alert
          type="error"
          role="alert"
          showIcon
          title={t('imports.refused', { name: read.name ?? '' })}
          description={t(`imports.problems.${problem.kind}`, {
            number: 'number' in problem ? format.number(problem.number) : '',
            names: 'names' in problem ? problem.names : '',
            key: source.columns.key,
            columns: source.columns.read.join(', '),
          })}
        />
      )}
      {file !== undefined && (
        <ImportPlan
          source={source}
          file={file}
          options={options}
          importError={importing.error}
          isRunning={importing.isPending}
          onImport={() => void importing.run(file)}
        />
      )}
    </Flex>
  );
}
