import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface PeerProps {
  stream: MediaStream;
  isSeen: boolean;
  /** Where it is heard; empty: wherever the system plays sound. */
  speaker: string;
  name: string;
}

/** What is seen and heard of the other one; without pictures it is heard all the same. */
export function PeerVideo({ stream, isSeen, speaker, name }: PeerProps) {
  const { t } = useTranslation('client');
  const video = useRef<HTMLVideoElement>(null);
  const [isSilent, setSilent] = useState(false);
  const tracks = stream.getTracks().length;
  useEffect(() => {
    const element = video.current;
    if (element === null || tracks === 0) return;
    if (element.srcObject !== stream) element.srcObject = stream;
    element.play().catch((error: unknown) => {
      // In a page that nobody has touched, as after a reload, browsers may play no sound; others were only interrupted.
      if (error instanceof DOMException && error.name === 'NotAllowedError') setSilent(true);
    });
  }, [stream, tracks]);
  useEffect(() => {
    // What is not there any more: the sound stays where it was.
    void video.current?.setSinkId?.(speaker).catch(() => undefined);
  }, [speaker]);
  const unmute = async (): Promise<void> => {
    await video.current?.play();
    setSilent(false);
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- somebody who speaks right now */}
      <video
        ref={video}
        className="call-peer"
        autoPlay
        playsInline
        hidden={!isSeen}
        aria-label={t('calls.pictureOf', { name })}
      />
      {isSilent && (
        <button type="button" className="primary call-unmute" onClick={() => void unmute()}>
          {t('calls.hear')}
        </button>
      )}
    </>
  );
}

/** What the other one sees, as in a mirror. */
export function OwnVideo({ stream }: { stream: MediaStream | null }) {
  const { t } = useTranslation('client');
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  return (
    <video ref={video} className="call-own" autoPlay playsInline muted aria-label={t('calls.ownPicture')} />
  );
}
