import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { Icon } from '../../icons';
import type { ServiceMutation } from '../../../shared/use-service-mutation';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { DevicePicker } from './device-picker';
import { Toggle } from './toggle';
import { useDevices } from './use-devices';

/** Phones cannot share their screen from a page. */
const CAN_SHARE = 'getDisplayMedia' in (navigator.mediaDevices ?? {});

interface Props {
  session: CallSession;
  isMinimised: boolean;
  camera: ServiceMutation<[isOn: boolean]>;
  flip: ServiceMutation<[]>;
  share: ServiceMutation<[isOn: boolean]>;
  speaker: string;
  onSpeaker: (id: string) => void;
  onDevice: (kind: 'audio' | 'video', id: string) => void;
}

/** Controls of a running call. */
export function Controls({ session, isMinimised, camera, flip, share, speaker, onSpeaker, onDevice }: Props) {
  const { t } = useTranslation(['client', 'calling']);
  const [choosesDevice, setChoosesDevice] = useState(false);
  const hangUp = useServiceMutation(() => session.hangUp());
  const { isMuted, hasCamera, isSharing, state, localStream } = session;
  const cameraCount = useDevices().filter(({ kind }) => kind === 'videoinput').length;
  return (
    <>
      {choosesDevice && !isMinimised && (
        <DevicePicker stream={localStream} speaker={speaker} onSpeaker={onSpeaker} onDevice={onDevice} />
      )}
      <fieldset className="call-controls">
        <legend className="for-screen-readers">{t('client:calls.controls')}</legend>
        <Toggle
          icon={isMuted ? 'microphoneOff' : 'microphone'}
          label={t('client:calls.mute')}
          isPressed={isMuted}
          onClick={() => session.mute(!isMuted)}
        />
        <Toggle
          icon={hasCamera ? 'camera' : 'cameraOff'}
          label={t('client:calls.cameraOff')}
          isPressed={!hasCamera}
          isDisabled={camera.isPending}
          onClick={() => void camera.run(!hasCamera)}
        />
        {!isMinimised && hasCamera && cameraCount > 1 && (
          <button
            type="button"
            className="round"
            aria-label={t('calling:flip')}
            title={t('calling:flip')}
            disabled={flip.isPending}
            onClick={() => void flip.run()}
          >
            <Icon name="flip" />
          </button>
        )}
        {!isMinimised && CAN_SHARE && state !== 'calling' && (
          <Toggle
            icon="screen"
            label={t('calling:share')}
            isPressed={isSharing}
            isDisabled={share.isPending}
            onClick={() => void share.run(!isSharing)}
          />
        )}
        {!isMinimised && (
          <button
            type="button"
            className="round"
            aria-expanded={choosesDevice}
            aria-label={t('client:calls.devices')}
            title={t('client:calls.devices')}
            onClick={() => setChoosesDevice(!choosesDevice)}
          >
            <Icon name="settings" />
          </button>
        )}
        <button type="button" className="hang-up" onClick={() => void hangUp.run()}>
          <Icon name="hangUp" />
          <span className="hang-up-text">
            {t(state === 'calling' ? 'client:calls.cancel' : 'client:calls.hangUp')}
          </span>
        </button>
      </fieldset>
    </>
  );
}
