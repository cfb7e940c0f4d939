import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorMessage } from '../../shared/error-message';
import { Picture } from '../../shared/picture';
import { useServiceMutation } from '../../shared/use-service-mutation';
import './attachments.css';

/** Pictures that the service converts. It cannot decode HEIC, which browsers convert for an input without it. */
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif';

interface Props {
  name: string;
  url: string | null;
  /** Uploads a picture and uses it. */
  upload: (file: File, onProgress: (sentBytes: number, totalBytes: number) => void) => Promise<unknown>;
  /** Removes the picture. */
  remove: () => Promise<unknown>;
}

/** The picture of the user or a group with buttons to upload another one, or to remove it. */
export function AvatarUpload({ name, url, upload, remove }: Props) {
  const { t } = useTranslation('client');
  const errorId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [progress, setProgress] = useState<number>();
  const uploading = useServiceMutation((file: File) =>
    upload(file, (sent, total) => setProgress(sent / Math.max(total, 1))).finally(() =>
      setProgress(undefined),
    ),
  );
  const removing = useServiceMutation(remove);
  const error = uploading.error ?? removing.error;
  return (
    <div className="avatar-upload">
      <Picture name={name} url={url} />
      <div className="avatar-acts">
        <button
          type="button"
          disabled={uploading.isPending}
          aria-describedby={error === undefined ? undefined : errorId}
          onClick={() => input.current?.click()}
        >
          {t('attachments.uploadPicture')}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept={ACCEPTED}
          aria-label={t('attachments.uploadPicture')}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // The same file can be chosen again after an error.
            target.value = '';
            if (file !== undefined) void uploading.run(file);
          }}
        />
        {url !== null && url !== '' && (
          <button
            type="button"
            className="quiet"
            disabled={removing.isPending || uploading.isPending}
            onClick={() => void removing.run()}
          >
            {t('attachments.removePicture')}
          </button>
        )}
        {progress !== undefined && <progress value={progress} aria-label={t('attachments.uploading')} />}
        {error !== undefined && (
          <div id={errorId}>
            <ErrorMessage error={error} />
          </div>
        )}
      </div>
    </div>
  );
}
