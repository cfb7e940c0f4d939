import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { Picture } from '../../../shared/picture';
import { Icon } from '../../icons';
import { useAnswerRequest } from '../../push/worker-messages';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { CallFrame } from './call-frame';
import { MediaProblem } from './media-problem';
import { Preview } from './preview';
import { usePreview } from './use-preview';

interface Props {
  session: CallSession;
  isSilent: boolean;
  onSilence: () => void;
}

/** Card of an incoming call. Escape silences the call and turns the card into a note beside the page. */
export function IncomingCard({ session, isSilent, onSilence }: Props) {
  const { t } = useTranslation(['client', 'calling']);
  const { peer, mediaType } = session;
  const [isPreviewing, setPreviewing] = useState(false);
  const preview = usePreview(isPreviewing ? mediaType : undefined);
  const answer = useServiceMutation(async (type: 'audio' | 'video') => {
    const local = preview.take();
    if (type === 'audio') local?.stopCamera();
    setPreviewing(false);
    await session.accept(type, local);
  });
  const decline = useServiceMutation(() => session.hangUp());
  useAnswerRequest(session.id, () => void answer.run(mediaType));
  const title = t(`client:calls.incoming.${mediaType}`, { name: peer.name });
  return (
    <CallFrame label={title} look={isSilent ? 'note' : 'card'} onEscape={onSilence}>
      {!isPreviewing && <Picture name={peer.name} url={peer.avatar} id={peer.id} />}
      <h2>{peer.name}</h2>
      <output className="soft">
        {t(answer.isPending ? `calling:asking.${mediaType}` : `client:calls.rings.${mediaType}`)}
      </output>
      {answer.error !== undefined && <MediaProblem error={answer.error} />}
      {isPreviewing && <Preview preview={preview} mediaType={mediaType} />}
      <div className="call-buttons">
        <button
          type="button"
          className="answer"
          disabled={answer.isPending}
          onClick={() => void answer.run(mediaType)}
        >
          <Icon name={mediaType === 'video' ? 'camera' : 'calls'} />
          {t(mediaType === 'video' ? 'client:calls.answerVideo' : 'client:calls.answer')}
        </button>
        {mediaType === 'video' && (
          <button type="button" disabled={answer.isPending} onClick={() => void answer.run('audio')}>
            <Icon name="calls" />
            {t('client:calls.answerAudio')}
          </button>
        )}
        <button type="button" className="hang-up" onClick={() => void decline.run()}>
          <Icon name="hangUp" />
          {t('client:calls.decline')}
        </button>
      </div>
      {!isPreviewing && !answer.isPending && (
        <button type="button" className="quiet" onClick={() => setPreviewing(true)}>
          {t(mediaType === 'video' ? 'calling:preview.open' : 'calling:preview.openAudio')}
        </button>
      )}
      {!isSilent && (
        <button type="button" className="quiet" onClick={onSilence}>
          {t('client:calls.silence')}
        </button>
      )}
    </CallFrame>
  );
}
