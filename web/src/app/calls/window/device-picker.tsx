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
export function DevicePicker({ session, speaker, onSpeaker, onDevice }: Props) {
  const devices = useDevices();
  const deviceIdOf = (kind: 'audio' | 'video'): string =>
    session.localStream
      ?.getTracks()
      .find((track) => track.kind === kind)
      ?.getSettings().deviceId ?? '';
  const devicesOf = (kind: MediaDeviceKind): MediaDeviceInfo[] =>
    devices.filter((device) => device.kind === kind);
  return (
    <div className="call-devices">
      <DeviceSelect
        kind="audioinput"
        devices={devicesOf('audioinput')}
        selectedId={deviceIdOf('audio')}
        onSelect={(id) => onDevice('audio', id)}
      />
      <DeviceSelect
        kind="videoinput"
        devices={devicesOf('videoinput')}
        selectedId={deviceIdOf('video')}
        onSelect={(id) => onDevice('video', id)}
      />
      {'setSinkId' in HTMLMediaElement.prototype && (
        <DeviceSelect
          kind="audiooutput"
          devices={devicesOf('audiooutput')}
          selectedId={speaker}
          onSelect={onSpeaker}
        />
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
  selectedId: string;
  onSelect: (id: string) => void;
}

function DeviceSelect({ kind, devices, selectedId, onSelect }: ChoiceProps) {
  const { t } = useTranslation('client');
  const id = useId();
  const isKnown = devices.some(({ deviceId }) => deviceId === selectedId);
  return (
    <div>
      <label htmlFor={id}>{t(`calls.device.${kind}`)}</label>
      <select
        id={id}
        value={isKnown ? selectedId : ''}
        disabled={devices.length === 0}
        onChange={({ target }) => onSelect(target.value)}
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
