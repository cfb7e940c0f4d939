import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportDevicesResponse } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useFormat } from '../../format';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { useUrlState } from '../../../shared/url-state';
import type { PickerOption } from '../../parts/remote-picker';
import { DEVICE_QUERIES } from '../devices-query';
import { useGroupOption } from '../use-group-option';
import { type DeviceFile, type FileProblem, readDeviceFile } from './device-file';
import { FileDrop } from './file-drop';
import { ImportPlan } from './import-plan';
import { ImportReport } from './import-report';
import { saveTemplate } from './template';

interface Props {
  /** Called with true when the upload starts, and with false when it has ended. */
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

/** The steps of an import: file selection, preview, import, report. */
export function ImportSteps({ onBusy, onClose }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const filterGroup = useGroupOption(useUrlState().number('group_id'));
  const [pickedGroup, setGroup] = useState<PickerOption | null>();
  const group = pickedGroup === undefined ? filterGroup : pickedGroup;
  const [read, setRead] = useState<{ file?: DeviceFile; problem?: FileProblem; name?: string }>({});
  const [report, setReport] = useState<ImportDevicesResponse>();
  const { file, problem } = read;

  const readFile = async (selectedFile: File): Promise<void> => {
    setReport(undefined);
    importing.reset();
    const result = await readDeviceFile(selectedFile);
    setRead('kind' in result ? { problem: result, name: selectedFile.name } : { file: result });
  };
  const importing = useServiceMutation(
    async ({ bytes }: DeviceFile) => {
      onBusy(true);
      const query = group === null ? {} : { group_id: group.value };
      setReport(await callboard.devices.import({ body: bytes, query }));
    },
    // Includes the preview, whose outcome has changed as well.
    { changes: [...DEVICE_QUERIES, 'device-import'] },
  );
  const start = async (): Promise<void> => {
    if (file === undefined) return;
    await importing.run(file);
    onBusy(false);
  };

  if (file !== undefined && report !== undefined)
    return (
      <Flex vertical gap="middle">
        <ImportReport file={file} report={report} />
        <Flex gap="small" justify="end">
          <Button
            onClick={() => {
              setRead({});
              setReport(undefined);
            }}
          >
            {t('devices.import.another')}
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
        onFile={(selectedFile) => void readFile(selectedFile)}
      />
      {file === undefined && (
        <Button
          icon={<DownloadOutlined aria-hidden />}
          style={{ alignSelf: 'start' }}
          onClick={() => saveTemplate()}
        >
          {t('devices.import.template')}
        </Button>
      )}
      {problem !== undefined && (
        <Alert
          type="error"
          role="alert"
          showIcon
          title={t('devices.import.refused', { name: read.name ?? '' })}
          description={t(`devices.import.problems.${problem.kind}`, {
            number: 'number' in problem ? format.number(problem.number) : '',
            names: 'names' in problem ? problem.names : '',
          })}
        />
      )}
      {file !== undefined && (
        <ImportPlan
          file={file}
          group={group}
          onGroup={setGroup}
          importError={importing.error}
          isRunning={importing.isPending}
          onImport={() => void start()}
        />
      )}
    </Flex>
  );
}
