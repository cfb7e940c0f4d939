import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSession } from '@callboard/client/calls';
import { Icon, type IconName } from '../../icons';
import type { ServiceMutation } from '../../../shared/use-service-mutation';
import { useServiceMutation } from '../../../shared/use-service-mutation';
import { DevicePicker } from './device-picker';

interface Props {
  session: CallSession;
  isMinimised: boolean;
  camera: ServiceMutation<[isOn: boolean]>;
  speaker: string;
  onSpeaker: (id: string) => void;
  onDevice: (kind: 'audio' | 'video', id: string) => void;
}

/** Controls of a running call. */
export function Controls({ session, isMinimised, camera, speaker, onSpeaker, onDevice }: Props) {
  const { t } = useTranslation('client');
  const [choosesDevice, setChoosesDevice] = useState(false);
  const hangUp = useServiceMutation(() => session.hangUp());
  const { isMuted, hasCamera, state } = session;
  return (
    <>
      {choosesDevice && !isMinimised && (
        <DevicePicker session={session} speaker={speaker} onSpeaker={onSpeaker} onDevice={onDevice} />
      )}
      <fieldset className="call-controls">
        <legend className="for-screen-readers">{t('calls.controls')}</legend>
        <Toggle
          icon={isMuted ? 'microphoneOff' : 'microphone'}
          label={t('calls.mute')}
          isPressed={isMuted}
          onClick={() => session.mute(!isMuted)}
        />
        <Toggle
          icon={hasCamera ? 'camera' : 'cameraOff'}
          label={t('calls.cameraOff')}
          isPressed={!hasCamera}
          isDisabled={camera.isPending}
          onClick={() => void camera.run(!hasCamera)}
        />
        {!isMinimised && (
          <button
            type="button"
            className="round"
            aria-expanded={choosesDevice}
            aria-label={t('calls.devices')}
            title={t('calls.devices')}
            onClick={() => setChoosesDevice(!choosesDevice)}
          >
            <Icon name="settings" />
          </button>
        )}
        <button type="button" className="hang-up" onClick={() => void hangUp.run()}>
          <Icon name="hangUp" />
          {t(state === 'calling' ? 'calls.cancel' : 'calls.hangUp')}
        </button>
      </fieldset>
    </>
  );
}

interface ToggleProps {
  icon: IconName;
  label: string;
  isPressed: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}

const Toggle = ({ icon, label, isPressed, isDisabled = false, onClick }: ToggleProps) => (
  <button
    type="button"
    className="round"
    aria-label={label}
    title={label}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);
