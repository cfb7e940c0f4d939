import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { useFormat } from '../../format';
import { Picture } from '../../../shared/picture';
import { Icon } from '../../icons';
import { useEndText } from '../end-text';
import { CallFrame } from './call-frame';
import { MediaProblem } from './media-problem';

interface Props {
  session: CallSession;
  onCallAgain: () => void;
  onClose: () => void;
}

/** Note beside the page that shows how the last call ended. */
export function EndedNote({ session, onCallAgain, onClose }: Props) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const endText = useEndText();
  const { peer, role, status, endReason, error, seconds, mediaType } = session;
  const reason = endText({ name: peer.name, role, status, endReason });
  return (
    <CallFrame label={t('calls.ended', { name: peer.name })} look="note">
      <Picture name={peer.name} url={peer.avatar} id={peer.id} />
      <div className="call-words">
        <h2>{peer.name}</h2>
        <output>
          {seconds > 0 ? t('calls.endedAfter', { reason, time: format.duration(seconds) }) : reason}
        </output>
      </div>
      {error !== undefined && endReason === 'connection_lost' && <MediaProblem error={error} />}
      <div className="call-buttons">
        <button type="button" className="primary" onClick={onCallAgain}>
          <Icon name={mediaType === 'video' ? 'camera' : 'calls'} />
          {t('calls.again')}
        </button>
        <button type="button" onClick={onClose}>
          {t('calls.close')}
        </button>
      </div>
    </CallFrame>
  );
}
