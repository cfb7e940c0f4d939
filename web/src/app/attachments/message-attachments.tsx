import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attachment, MessageResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { lazyPart } from '../../shared/parts/lazy-part';
import { AudioPlayer } from './audio-player';
import { FileCard } from './file-card';
import { mediaOf } from './media';
import { Album } from './album';
import { OnDemand } from './on-demand';
import './attachments.css';

const Viewer = lazyPart(async () => (await import('./viewer')).Viewer);

/** The pictures, recordings, videos and files of a message; its one-line text if none of them can be loaded. */
export function MessageAttachments({ message }: { message: MessageResponse }) {
  const { t } = useTranslation('client');
  const [renewed, setRenewed] = useState<Attachment[]>();
  const [shown, setShown] = useState<number>();
  const media = mediaOf(message, renewed);
  const pictures = media.filter(({ type }) => type === 'image');
  if (media.length === 0) return <p>{message.display_content}</p>;
  /** Fetches the URLs again, once: those of a page that is open for days expire. */
  const renew = (): void => {
    if (renewed !== undefined || message.attachments.length === 0) return;
    setRenewed(message.attachments);
    callboard.attachments.ofMessage(message.id).then(setRenewed, () => undefined);
  };
  const [first] = media;
  return (
    <div className="attachments">
      {(first?.type === 'image' || first?.type === 'video') && (
        <Album media={media} onOpen={(medium) => setShown(pictures.indexOf(medium))} onFail={renew} />
      )}
      {media.map((medium) => {
        if (medium.type === 'file') return <FileCard key={medium.key} medium={medium} />;
        if (medium.type !== 'audio') return null;
        return (
          <AudioPlayer
            key={medium.key}
            medium={medium}
            label={medium.name ?? t('conversations.types.audio')}
            onFail={renew}
          />
        );
      })}
      {shown !== undefined && (
        <OnDemand>
          <Viewer pictures={pictures} start={shown} onClose={() => setShown(undefined)} />
        </OnDemand>
      )}
    </div>
  );
}
