import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format';
import { Icon } from '../icons';
import type { Medium } from './media';

interface Props {
  medium: Medium;
  label: string;
  /** Loads the recording again when it changes. */
  attempt: number;
  /** The recording does not load. */
  onFail: () => void;
}

/** The element that plays. Only one recording of the page plays at a time. */
let playing: HTMLAudioElement | undefined;

/** A recording: play and pause, its waveform as a slider, and its time. */
export function AudioPlayer({ medium: { url, duration: stated, waveform }, label, attempt, onFail }: Props) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const [measured, setMeasured] = useState<number>();
  // A recording of a browser states no duration in its file until it was read to its end.
  const duration = measured ?? stated ?? 0;
  const toggle = (): void => {
    const element = audio.current;
    if (element === null) return;
    if (!element.paused) return element.pause();
    // A rejection is also the element's error.
    element.play().catch(() => undefined);
  };
  return (
    <fieldset className="audio-player" aria-label={label}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- users send recordings without captions */}
      <audio
        key={attempt}
        ref={audio}
        src={url}
        preload="none"
        onPlay={({ currentTarget }) => {
          if (playing !== currentTarget) playing?.pause();
          playing = currentTarget;
          setIsPlaying(true);
        }}
        onPause={() => setIsPlaying(false)}
        onEnded={() => setTime(0)}
        onTimeUpdate={({ currentTarget }) => setTime(currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration: seconds } }) => {
          if (Number.isFinite(seconds)) setMeasured(seconds);
        }}
        onError={onFail}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t(isPlaying ? 'attachments.pause' : 'attachments.play')}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <span className="track">
        {waveform && <Waveform bars={waveform} progress={duration > 0 ? time / duration : 0} />}
        <input
          type="range"
          className={waveform ? 'over-waveform' : undefined}
          aria-label={t('attachments.position')}
          aria-valuetext={format.duration(Math.round(time))}
          min={0}
          max={Math.max(duration, 1)}
          step={0.1}
          value={Math.min(time, Math.max(duration, 1))}
          onChange={({ target }) => {
            const seconds = Number(target.value);
            setTime(seconds);
            if (audio.current !== null) audio.current.currentTime = seconds;
          }}
        />
      </span>
      <span className="audio-time">
        {format.duration(Math.round(isPlaying || time > 0 ? time : duration))}
      </span>
    </fieldset>
  );
}

/** Width of a bar and of the space after it, in units of the drawing. */
const BAR = 3;
const STEP = 4;

function Waveform({ bars, progress }: { bars: readonly number[]; progress: number }) {
  const width = bars.length * STEP;
  return (
    <svg className="waveform" viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((bar, index) => {
        const height = Math.max(bar, 6);
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a waveform never changes
            key={index}
            className={(index + 0.5) / bars.length <= progress ? 'played' : undefined}
            x={index * STEP}
            y={(100 - height) / 2}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}
