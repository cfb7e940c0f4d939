import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { DevicePicker } from './device-picker';
import { MediaProblem } from './media-problem';
import { Toggle } from './toggle';
import type { Preview as Media } from './use-preview';
import { OwnVideo } from './videos';
import './call-window.css';

interface Props {
  preview: Media;
  mediaType: 'audio' | 'video';
}

/** Shows the camera and the level of the microphone before a call, and lets the user choose and turn off devices. */
export function Preview({ preview: { local, error, mute, camera, use }, mediaType }: Props) {
  const { t } = useTranslation(['client', 'calling']);
  const video = local?.stream.getVideoTracks()[0]?.id;
  const audio = local?.stream.getAudioTracks()[0]?.id;
  return (
    <section className="call-preview" aria-label={t('calling:preview.title')}>
      {error !== undefined && <MediaProblem error={error} isCameraAlone={local !== undefined} />}
      {local === undefined && error === undefined && (
        <output className="soft">{t(`calling:asking.${mediaType}`)}</output>
      )}
      {local !== undefined && (
        <>
          {mediaType === 'video' && (
            <div className="preview-picture">
              {local.hasCamera ? (
                <OwnVideo key={video} stream={local.stream} />
              ) : (
                <p className="soft">{t('calling:preview.off')}</p>
              )}
            </div>
          )}
          <div className="preview-level">
            <Toggle
              icon={local.isMuted ? 'microphoneOff' : 'microphone'}
              label={t('client:calls.mute')}
              isPressed={local.isMuted}
              onClick={() => mute(!local.isMuted)}
            />
            {mediaType === 'video' && (
              <Toggle
                icon={local.hasCamera ? 'camera' : 'cameraOff'}
                label={t('client:calls.cameraOff')}
                isPressed={!local.hasCamera}
                onClick={() => camera(!local.hasCamera)}
              />
            )}
            <Level key={audio} stream={local.stream} label={t('calling:preview.level')} />
          </div>
          <DevicePicker stream={local.stream} hasCamera={mediaType === 'video'} onDevice={use} />
        </>
      )}
    </section>
  );
}

/** Volume at which the meter is full: loud speech. */
const LOUD = 0.25;

/** Meter of the microphone's volume. It is updated without rendering, once per frame. */
function Level({ stream, label }: { stream: MediaStream; label: string }) {
  const meter = useRef<HTMLMeterElement>(null);
  useEffect(() => {
    const audio = new AudioContext();
    const analyser = audio.createAnalyser();
    audio.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let frame = 0;
    const measure = (): void => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      if (meter.current !== null) meter.current.value = Math.min(1, Math.sqrt(power) / LOUD);
      frame = requestAnimationFrame(measure);
    };
    measure();
    return () => {
      cancelAnimationFrame(frame);
      void audio.close();
    };
  }, [stream]);
  return <meter ref={meter} min={0} max={1} value={0} aria-label={label} />;
}
