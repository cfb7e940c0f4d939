import { useTranslation } from 'react-i18next';
import { AnnouncementCard } from '../announcement-card';
import type { Draft } from './draft';

interface Props {
  draft: Draft;
  recipients: number | undefined;
}

/** Preview of an announcement, with the number of recipients. */
export function ComposePreview({ draft: { audience, type, title, content }, recipients }: Props) {
  const { t } = useTranslation('panel');
  return (
    <section className="compose-preview" aria-label={t('announcements.preview')}>
      <h3>{t('announcements.preview')}</h3>
      <AnnouncementCard
        type={type}
        title={title || t('announcements.previewTitle')}
        content={content || t('announcements.previewContent')}
        when={t('announcements.now')}
      />
      <p aria-live="polite">
        {recipients !== undefined && t('announcements.reaches', { count: recipients })}{' '}
        {audience === 'picked'
          ? recipients === 1 && t('announcements.single')
          : t('announcements.reachesLater')}
      </p>
    </section>
  );
}
