import { useTranslation } from 'react-i18next';
import { Icon } from '../icons';
import { useCalls } from './call-context';

interface Props {
  userId: number;
  name: string;
  mediaType: 'audio' | 'video';
  /** Whether the button shows an icon only. Default: false. */
  isIcon?: boolean;
}

/** Button that calls a user; inactive during a call. */
export function CallButton({ userId, name, mediaType, isIcon = false }: Props) {
  const { t } = useTranslation('client');
  const { place, isBusy } = useCalls();
  const label = t(mediaType === 'video' ? 'calls.history.callVideo' : 'calls.history.callAudio', { name });
  return (
    <button
      type="button"
      className={isIcon ? 'icon-button' : 'with-icon'}
      aria-label={isIcon ? label : undefined}
      title={label}
      // Not `disabled`: the focus returns to the button when the call ends.
      aria-disabled={isBusy}
      onClick={() => isBusy || void place(userId, mediaType)}
    >
      <Icon name={mediaType === 'video' ? 'camera' : 'calls'} />
      {!isIcon && t(`calls.history.${mediaType}`)}
    </button>
  );
}
