import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageResponse } from '@callboard/client';
import { lazyPart } from '../../shared/parts/lazy-part';
import { AudioPlayer } from './audio-player';
import { FileCard } from './file-card';
import { mediaOf } from './media';
import { Album } from './album';
import { OnDemand } from './on-demand';
import { useRenewal } from './use-renewal';
import './attachments.css';

const Viewer = lazyPart(async () => (await import('./viewer')).Viewer);

/** The pictures, recordings, videos and files of a message; its one-line text if none of them can be loaded. */
export function MessageAttachments({ message }: { message: MessageResponse }) {
  const { t } = useTranslation('client');
  const { attachments, attempt, onFail } = useRenewal(message);
  const [shown, setShown] = useState<number>();
  const media = mediaOf(message, attachments);
  const pictures = media.filter(({ type }) => type === 'image');
  if (media.length === 0) return <p>{message.display_content}</p>;
  const [first] = media;
  return (
    <div className="attachments">
      {(first?.type === 'image' || first?.type === 'video') && (
        <Album
          media={media}
          attempt={attempt}
          onOpen={(medium) => setShown(pictures.indexOf(medium))}
          onFail={onFail}
        />
      )}
      {media.map((medium) => {
        if (medium.type === 'file') return <FileCard key={medium.key} medium={medium} />;
        if (medium.type !== 'audio') return null;
        return (
          <AudioPlayer
            key={medium.key}
            medium={medium}
            attempt={attempt}
            label={medium.name ?? t('conversations.types.audio')}
            onFail={onFail}
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
