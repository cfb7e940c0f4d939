import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallSession, LocalMedia } from '@callboard/client/calls';

interface Props {
  session: CallSession;
  speaker: string;
  onSpeaker: (id: string) => void;
  onDevice: (kind: 'audio' | 'video', id: string) => void;
}

/** Lets the user choose the microphone, camera and speaker of the call. */
export function DeviceChoice({ session, speaker, onSpeaker, onDevice }: Props) {
  const devices = useDevices();
  const used = (kind: 'audio' | 'video'): string =>
    session.localStream
      ?.getTracks()
      .find((track) => track.kind === kind)
      ?.getSettings().deviceId ?? '';
  const of = (kind: MediaDeviceKind): MediaDeviceInfo[] => devices.filter((device) => device.kind === kind);
  return (
    <div className="call-devices">
      <Choice
        kind="audioinput"
        devices={of('audioinput')}
        chosen={used('audio')}
        onChoose={(id) => onDevice('audio', id)}
      />
      <Choice
        kind="videoinput"
        devices={of('videoinput')}
        chosen={used('video')}
        onChoose={(id) => onDevice('video', id)}
      />
      {'setSinkId' in HTMLMediaElement.prototype && (
        <Choice kind="audiooutput" devices={of('audiooutput')} chosen={speaker} onChoose={onSpeaker} />
      )}
    </div>
  );
}

/** Returns the available media devices, updated when one is connected or removed. */
function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const update = (): void => {
      void LocalMedia.devices().then((found) => ending.signal.aborted || setDevices(found));
    };
    update();
    navigator.mediaDevices?.addEventListener('devicechange', update, { signal: ending.signal });
    return () => ending.abort();
  }, []);
  return devices;
}

interface ChoiceProps {
  kind: MediaDeviceKind;
  devices: MediaDeviceInfo[];
  chosen: string;
  onChoose: (id: string) => void;
}

function Choice({ kind, devices, chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation('client');
  const id = useId();
  const isKnown = devices.some(({ deviceId }) => deviceId === chosen);
  return (
    <div>
      <label htmlFor={id}>{t(`calls.device.${kind}`)}</label>
      <select
        id={id}
        value={isKnown ? chosen : ''}
        disabled={devices.length === 0}
        onChange={({ target }) => onChoose(target.value)}
      >
        {!isKnown && (
          <option value="">{t(devices.length === 0 ? 'calls.device.none' : 'calls.device.usual')}</option>
        )}
        {devices.map(({ deviceId, label }, at) => (
          <option key={deviceId} value={deviceId}>
            {label === '' ? t('calls.device.unnamed', { number: at + 1 }) : label}
          </option>
        ))}
      </select>
    </div>
  );
}
