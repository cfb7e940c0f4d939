import { FileAddOutlined } from '@ant-design/icons';
import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import './import.css';

interface Props {
  isDisabled: boolean;
  /** Hides the explanation of the format once a file is selected. */
  isCompact: boolean;
  /** Explanation of the format. */
  hint: string;
  /** Example of a file. */
  sample: string;
  onFile: (file: File) => void;
}

/** Accepts a file by selection or by drag and drop. */
export function FileDrop({ isDisabled, isCompact, hint, sample, onFile }: Props) {
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
          // Allows selecting the same file again after it was corrected.
          target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <label htmlFor={id}>
        <FileAddOutlined /> {t('imports.choose')}
      </label>
      {!isCompact && (
        <>
          <p className="soft">{hint}</p>
          <pre>{sample}</pre>
        </>
      )}
    </div>
  );
}
