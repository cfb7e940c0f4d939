import { useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { useFormat } from '../../format';
import { Picture } from '../../../shared/picture';
import { Icon } from '../../icons';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { CallFrame } from './call-frame';
import { Controls } from './controls';
import { MediaProblem } from './media-problem';
import { Quality } from './quality';
import { SharingNote } from './sharing-note';
import { PeerVideo, OwnVideo } from './videos';

const SECOND_MS = 1_000;

/** View of an outgoing or answered call until its end: over the whole window, or minimised to a bar above the page. */
export function RunningCall({ session }: { session: CallSession }) {
  const { t } = useTranslation('client');
  const [isMinimised, setMinimised] = useState(false);
  const [speaker, setSpeaker] = useState('');
  const [hidden, setHidden] = useState<unknown>();
  const stage = useRef<HTMLDivElement>(null);
  const camera = useServiceMutation((isOn: boolean) => session.camera(isOn));
  const device = useServiceMutation((kind: 'audio' | 'video', id: string) => session.use(kind, id));
  const flip = useServiceMutation(() => session.flipCamera());
  const share = useServiceMutation((isOn: boolean) => session.shareScreen(isOn));
  const { peer, error, hasCamera, isPeerMuted, isSharing, localStream, remote } = session;
  const isSeen = remote.getVideoTracks().length > 0;
  // A user who cancels the browser’s choice of a screen needs no explanation.
  const shareError = share.error?.code === 'media_refused' ? undefined : share.error;
  const problem = device.error ?? camera.error ?? flip.error ?? shareError ?? error;
  const isMicrophoneLost = localStream?.getAudioTracks()[0]?.readyState === 'ended';

  const toggleFullScreen = (): void => {
    // If the browser refuses, the view stays as it is.
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
    else stage.current?.requestFullscreen().catch(() => undefined);
  };
  return (
    <CallFrame
      label={t('calls.with', { name: peer.name })}
      look={isMinimised ? 'bar' : 'full'}
      onEscape={() => setMinimised(true)}
    >
      <div className="call-stage" ref={stage}>
        <PeerVideo stream={remote} isSeen={isSeen} speaker={speaker} name={peer.name} />
        {!isSeen && (
          <div className="call-portrait">
            <Picture name={peer.name} url={peer.avatar} id={peer.id} />
          </div>
        )}
        {hasCamera && !isMinimised && <OwnVideo key={videoIdOf(localStream)} stream={localStream} />}
        <header className="call-header">
          <div className="call-words">
            <h2>{peer.name}</h2>
            <Progress session={session} />
          </div>
          <output className="call-muted">
            {isPeerMuted && (
              <>
                <Icon name="microphoneOff" size={20} />
                {t('calls.peerMuted', { name: peer.name })}
              </>
            )}
          </output>
          <Quality session={session} />
          {!isMinimised && document.fullscreenEnabled && (
            <button
              type="button"
              className="round"
              aria-label={t('calls.fullScreen')}
              title={t('calls.fullScreen')}
              onClick={toggleFullScreen}
            >
              <Icon name="fullScreen" />
            </button>
          )}
          <button
            type="button"
            className="round"
            aria-label={t(isMinimised ? 'calls.enlarge' : 'calls.minimise')}
            title={t(isMinimised ? 'calls.enlarge' : 'calls.minimise')}
            onClick={() => setMinimised(!isMinimised)}
          >
            <Icon name={isMinimised ? 'enlarge' : 'minimise'} />
          </button>
        </header>
        {isSharing && !isMinimised && <SharingNote onStop={() => void share.run(false)} />}
        {problem !== undefined && problem !== hidden && !isMinimised && (
          <div className="call-problem">
            <MediaProblem error={problem} isCameraAlone={device.error === undefined && !isMicrophoneLost} />
            <button type="button" onClick={() => setHidden(problem)}>
              {t('calls.close')}
            </button>
          </div>
        )}
        <Controls
          session={session}
          isMinimised={isMinimised}
          camera={camera}
          flip={flip}
          share={share}
          speaker={speaker}
          onSpeaker={setSpeaker}
          onDevice={(kind, id) => void device.run(kind, id)}
        />
      </div>
    </CallFrame>
  );
}

const videoIdOf = (stream: MediaStream | null): string | undefined => stream?.getVideoTracks()[0]?.id;

/** State of the call; once it is answered, its duration by the service's clock. */
function Progress({ session }: { session: CallSession }) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(rerender, SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const { state, seconds } = session;
  if (state === 'calling') return <output>{t('calls.states.calling')}</output>;
  return (
    <p>
      <span role="timer" aria-label={t('calls.duration')}>
        {format.duration(seconds)}
      </span>{' '}
      <output>
        {state === 'connecting' && t('calls.states.connecting')}
        {state === 'reconnecting' && t('calls.states.reconnecting')}
      </output>
    </p>
  );
}
