import { FileAddOutlined } from '@ant-design/icons';
import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './import.css';

interface Props {
  isDisabled: boolean;
  /** A file was chosen: how files must look is not explained any more. */
  isCompact: boolean;
  onFile: (file: File) => void;
}

/** Takes a file that is chosen, or dropped onto it. */
export function FileDrop({ isDisabled, isCompact, onFile }: Props) {
  const { t } = useTranslation('panel');
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !isDisabled) onFile(file);
  };
  return (
    <div
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        id={id}
        className="for-screen-readers"
        type="file"
        accept=".csv,text/csv"
        disabled={isDisabled}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file, mended, can be chosen again.
          target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <label htmlFor={id}>
        <FileAddOutlined /> {t('devices.import.choose')}
      </label>
      {!isCompact && (
        <>
          <p className="soft">{t('devices.import.form')}</p>
          <pre>{t('devices.import.sample')}</pre>
        </>
      )}
    </div>
  );
}
