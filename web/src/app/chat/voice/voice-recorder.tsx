import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../format';
import { Icon } from '../../icons';
import { type Recording, VoiceRecorder as Recorder } from './recorder';
import './voice.css';

interface Props {
  onDone: (recording: Recording) => void;
  onClose: () => void;
}

const TICK_MS = 250;
const MAX_SECONDS = 600;

/** Records a voice message: level, time, and buttons to discard and to send it. */
export function VoiceRecorder({ onDone, onClose }: Props) {
  const { t } = useTranslation('client');
  const format = useFormat();
  const recorder = useRef<Recorder>(undefined);
  const meter = useRef<HTMLSpanElement>(null);
  const [seconds, setSeconds] = useState(0);
  const [problem, setProblem] = useState<'refused' | 'unavailable'>();

  useEffect(() => {
    let isClosed = false;
    const setLevel = (level: number): void => meter.current?.style.setProperty('--level', String(level));
    const tick = setInterval(() => {
      const { current } = recorder;
      if (current !== undefined) setSeconds(Math.floor(current.seconds));
    }, TICK_MS);
    const start = async (): Promise<void> => {
      try {
        const started = await Recorder.start(setLevel);
        if (isClosed) started.cancel();
        else recorder.current = started;
      } catch (error) {
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        setProblem(isRefused ? 'refused' : 'unavailable');
      }
    };
    void start();
    return () => {
      isClosed = true;
      clearInterval(tick);
      recorder.current?.cancel();
      recorder.current = undefined;
    };
  }, []);

  const send = (): void => {
    const { current } = recorder;
    recorder.current = undefined;
    if (current !== undefined) void current.finish().then(onDone).finally(onClose);
  };
  useEffect(() => {
    if (seconds >= MAX_SECONDS) send();
  });

  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset would contain fields
    <div className="voice" role="group" aria-label={t('chat.voice.message')}>
      <button type="button" className="icon-button" aria-label={t('chat.voice.discard')} onClick={onClose}>
        <Icon name="close" />
      </button>
      {problem === undefined ? (
        <>
          <span ref={meter} className="voice-level" aria-hidden="true" />
          <output className="voice-time">
            {t('chat.voice.recording')} <span>{format.duration(seconds)}</span>
          </output>
        </>
      ) : (
        <p role="alert">{t(`chat.voice.${problem}`)}</p>
      )}
      <button
        type="button"
        className="primary icon-send"
        aria-label={t('chat.voice.send')}
        disabled={problem !== undefined}
        onClick={send}
      >
        <Icon name="send" />
      </button>
    </div>
  );
}
