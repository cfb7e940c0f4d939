import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Medium } from './media';

interface Props {
  media: readonly Medium[];
  /** Loads the media again when it changes. */
  attempt: number;
  /** Opens a picture in the viewer. */
  onOpen: (medium: Medium) => void;
  /** A picture or video does not load. */
  onFail: () => void;
}

/** Pictures and videos: one in its own shape, several as a grid of squares. */
export function Album({ media, attempt, onOpen, onFail }: Props) {
  const { t } = useTranslation('client');
  const isAlbum = media.length > 1;
  return (
    <ul className={isAlbum ? 'album' : 'album single'} data-count={Math.min(media.length, 4)}>
      {media.map((medium, index) => {
        const kind = t(`conversations.types.${medium.type}`);
        const name = medium.name ?? kind;
        const label = isAlbum
          ? t('attachments.ofAlbum', { name, index: index + 1, count: media.length })
          : name;
        return (
          <li key={medium.key} style={shapeOf(medium, isAlbum)}>
            {medium.type === 'video' ? (
              // oxlint-disable-next-line jsx-a11y/media-has-caption -- users send videos without captions
              <video
                key={attempt}
                controls
                preload={medium.poster === undefined ? 'metadata' : 'none'}
                src={medium.url}
                poster={medium.poster}
                aria-label={label}
                onError={onFail}
              />
            ) : (
              <button type="button" className="picture-button" onClick={() => onOpen(medium)}>
                <PictureWithPreview key={attempt} medium={medium} label={label} onFail={onFail} />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** A thumbnail above its preview, which is visible until the thumbnail is loaded. */
export function PictureWithPreview({
  medium,
  label,
  onFail,
}: {
  medium: Medium;
  label: string;
  onFail?: () => void;
}) {
  const { preview, thumbnailUrl, url, width, height } = medium;
  const [loaded, setLoaded] = useState<string>();
  const source = thumbnailUrl ?? url;
  return (
    <img
      className={loaded === source ? 'thumbnail' : 'thumbnail loading'}
      src={source}
      alt={label}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      style={
        preview === undefined || loaded === source ? undefined : { backgroundImage: `url("${preview}")` }
      }
      onLoad={() => setLoaded(source)}
      onError={onFail}
    />
  );
}

/** Reserves the space of a single picture before it is loaded, so that the messages below do not move. */
function shapeOf({ width, height }: Medium, isAlbum: boolean): CSSProperties | undefined {
  if (isAlbum || width === undefined || height === undefined) return undefined;
  return { '--ratio': Math.min(Math.max(width / height, 0.4), 3) } as CSSProperties;
}
