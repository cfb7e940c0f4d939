import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevices } from './use-devices';

interface Props {
  /** The microphone and camera in use; null while nothing is sent. */
  stream: MediaStream | null;
  /** Whether a camera is offered. Default: true. */
  hasCamera?: boolean;
  /** Device id of the speaker; empty for the system default. */
  speaker?: string;
  /** Undefined before a call: the speaker is chosen during it. */
  onSpeaker?: (id: string) => void;
  onDevice: (kind: 'audio' | 'video', id: string) => void;
}

/** Lets the user choose the microphone, camera and speaker of a call. */
export function DevicePicker({ stream, hasCamera = true, speaker = '', onSpeaker, onDevice }: Props) {
  const devices = useDevices();
  const deviceIdOf = (kind: 'audio' | 'video'): string =>
    stream
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
      {hasCamera && (
        <DeviceSelect
          kind="videoinput"
          devices={devicesOf('videoinput')}
          selectedId={deviceIdOf('video')}
          onSelect={(id) => onDevice('video', id)}
        />
      )}
      {onSpeaker !== undefined && 'setSinkId' in HTMLMediaElement.prototype && (
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

interface ChoiceProps {
  kind: MediaDeviceKind;
  devices: MediaDeviceInfo[];
  selectedId: string;
  onSelect: (id: string) => void;
}

function DeviceSelect({ kind, devices, selectedId, onSelect }: ChoiceProps) {
  const { t } = useTranslation('calling');
  const id = useId();
  const isKnown = devices.some(({ deviceId }) => deviceId === selectedId);
  return (
    <div>
      <label htmlFor={id}>{t(`device.${kind}`)}</label>
      <select
        id={id}
        value={isKnown ? selectedId : ''}
        disabled={devices.length === 0}
        onChange={({ target }) => onSelect(target.value)}
      >
        {!isKnown && <option value="">{t(devices.length === 0 ? 'device.none' : 'device.usual')}</option>}
        {devices.map(({ deviceId, label }, at) => (
          <option key={deviceId} value={deviceId}>
            {label === '' ? t('device.unnamed', { number: at + 1 }) : label}
          </option>
        ))}
      </select>
    </div>
  );
}
