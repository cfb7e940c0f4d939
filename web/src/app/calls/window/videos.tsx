import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface PeerProps {
  stream: MediaStream;
  isSeen: boolean;
  /** Device id of the audio output; empty for the system default. */
  speaker: string;
  name: string;
}

/** Video and sound of the peer. Without video the element is hidden, but plays the sound. */
export function PeerVideo({ stream, isSeen, speaker, name }: PeerProps) {
  const { t } = useTranslation(['client', 'calling']);
  const video = useRef<HTMLVideoElement>(null);
  const [isSilent, setSilent] = useState(false);
  const tracks = stream.getTracks().length;
  useEffect(() => {
    const element = video.current;
    if (element === null || tracks === 0) return;
    if (element.srcObject !== stream) element.srcObject = stream;
    element.play().catch((error: unknown) => {
      // Browsers may block sound without user activation, as after a reload. Other errors mean that `play()` was interrupted.
      if (error instanceof DOMException && error.name === 'NotAllowedError') setSilent(true);
    });
  }, [stream, tracks]);
  useEffect(() => {
    // Rejects if the device was removed: the sound stays on the previous output.
    void video.current?.setSinkId?.(speaker).catch(() => undefined);
  }, [speaker]);
  const unmute = async (): Promise<void> => {
    await video.current?.play();
    setSilent(false);
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live speech has no captions */}
      <video
        ref={video}
        className="call-peer"
        autoPlay
        playsInline
        hidden={!isSeen}
        aria-label={t('calling:pictureOf', { name })}
      />
      {isSilent && (
        <button type="button" className="primary call-unmute" onClick={() => void unmute()}>
          {t('calling:hear')}
        </button>
      )}
    </>
  );
}

/** The user's own camera, mirrored, unless it is the back camera of a phone. */
export function OwnVideo({ stream }: { stream: MediaStream | null }) {
  const { t } = useTranslation(['client', 'calling']);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  const isBack = stream?.getVideoTracks()[0]?.getSettings().facingMode === 'environment';
  return (
    <video
      ref={video}
      className={isBack ? 'call-own back' : 'call-own'}
      autoPlay
      playsInline
      muted
      aria-label={t('calling:ownPicture')}
    />
  );
}
