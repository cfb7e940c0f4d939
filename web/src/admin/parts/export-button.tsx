import { DownloadOutlined, StopOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { type Download, download } from './download';
import { useToastMutation } from './use-toast-mutation';

interface Props extends Download {
  /** Name of the exported list, if a screen has several exports. */
  label?: string;
}

const KILOBYTE = 1_000;

/** Saves an export of any size as a file. Shows the progress and can be cancelled. */
export function ExportButton({ label, ...wanted }: Props) {
  const { t } = useTranslation('panel');
  const format = useFormat();
  const [bytes, setBytes] = useState(0);
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const exporting = useToastMutation(
    async () => {
      stopping.current = new AbortController();
      setBytes(0);
      await download(wanted, { signal: stopping.current.signal, onProgress: setBytes });
    },
    { done: t('parts.exported', { file: wanted.fileName }), onError: () => stopping.current.signal.aborted },
  );
  return exporting.isPending ? (
    <Button icon={<StopOutlined aria-hidden />} onClick={() => stopping.current.abort()}>
      {t('parts.exporting', { size: format.number(Math.ceil(bytes / KILOBYTE)) })}
    </Button>
  ) : (
    <Button icon={<DownloadOutlined aria-hidden />} onClick={() => void exporting.run()}>
      {label ?? t('parts.export')}
    </Button>
  );
}
