import { useTranslation } from 'react-i18next';
import { Lightbox } from 'yet-another-react-lightbox';
import Download from 'yet-another-react-lightbox/plugins/download';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import type { Medium } from './media';

interface Props {
  pictures: readonly Medium[];
  /** Index of the picture that is shown first. */
  start: number;
  onClose: () => void;
}

/** Pictures above the page: arrow keys and swipes change them, plus, minus, wheel and pinch zoom, Escape closes. */
export function Viewer({ pictures, start, onClose }: Props) {
  const { t } = useTranslation('client');
  return (
    <Lightbox
      open
      close={onClose}
      index={start}
      slides={pictures.map(({ url, name, width, height }) => ({
        src: url,
        alt: name ?? t('conversations.types.image'),
        width,
        height,
        download: { url, filename: name ?? 'image' },
      }))}
      plugins={[Zoom, Download]}
      // Above an open modal dialog only its own descendants are visible.
      portal={{ root: document.querySelector<HTMLElement>('dialog[open]') ?? document.body }}
      carousel={{ finite: true, preload: 1 }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      animation={{ fade: 0, swipe: 200 }}
      zoom={{ maxZoomPixelRatio: 4, scrollToZoom: true }}
      // One picture has nothing to go on to.
      render={pictures.length > 1 ? {} : { buttonPrev: () => null, buttonNext: () => null }}
      labels={{
        Lightbox: t('attachments.viewer'),
        Close: t('chat.close'),
        Previous: t('attachments.previous'),
        Next: t('attachments.next'),
        Download: t('attachments.download'),
        'Zoom in': t('attachments.zoomIn'),
        'Zoom out': t('attachments.zoomOut'),
        'Photo gallery': t('attachments.viewer'),
        Carousel: t('attachments.viewer'),
        Slide: t('conversations.types.image'),
        '{index} of {total}': t('attachments.slideOf'),
      }}
    />
  );
}
