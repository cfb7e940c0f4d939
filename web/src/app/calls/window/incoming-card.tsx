import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { Picture } from '../../../shared/picture';
import { Icon } from '../../icons';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { CallFrame } from './call-frame';
import { MediaProblem } from './media-problem';

interface Props {
  session: CallSession;
  isSilent: boolean;
  onSilence: () => void;
}

/** Card of an incoming call. Escape silences the call and turns the card into a note beside the page. */
export function IncomingCard({ session, isSilent, onSilence }: Props) {
  const { t } = useTranslation('client');
  const { peer, mediaType } = session;
  const answer = useServiceMutation((type: 'audio' | 'video') => session.accept(type));
  const decline = useServiceMutation(() => session.hangUp());
  const title = t(`calls.incoming.${mediaType}`, { name: peer.name });
  return (
    <CallFrame label={title} look={isSilent ? 'note' : 'card'} onEscape={onSilence}>
      <Picture name={peer.name} url={peer.avatar} id={peer.id} />
      <h2>{peer.name}</h2>
      <output className="soft">
        {t(answer.isPending ? `calls.asking.${mediaType}` : `calls.rings.${mediaType}`)}
      </output>
      {answer.error !== undefined && <MediaProblem error={answer.error} />}
      <div className="call-buttons">
        <button
          type="button"
          className="answer"
          disabled={answer.isPending}
          onClick={() => void answer.run(mediaType)}
        >
          <Icon name={mediaType === 'video' ? 'camera' : 'calls'} />
          {t(mediaType === 'video' ? 'calls.answerVideo' : 'calls.answer')}
        </button>
        {mediaType === 'video' && (
          <button type="button" disabled={answer.isPending} onClick={() => void answer.run('audio')}>
            <Icon name="calls" />
            {t('calls.answerAudio')}
          </button>
        )}
        <button type="button" className="hang-up" onClick={() => void decline.run()}>
          <Icon name="hangUp" />
          {t('calls.decline')}
        </button>
      </div>
      {!isSilent && (
        <button type="button" className="quiet" onClick={onSilence}>
          {t('calls.silence')}
        </button>
      )}
    </CallFrame>
  );
}
