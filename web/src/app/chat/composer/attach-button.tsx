import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons';

/** Button that chooses files, several at a time; on phones also photos and the camera. */
export function AttachButton({ onAttach }: { onAttach: (files: readonly File[]) => void }) {
  const { t } = useTranslation('client');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={t('chat.uploads.attach')}
        onClick={() => input.current?.click()}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('chat.uploads.attach')}
        onChange={({ currentTarget }) => {
          onAttach([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
