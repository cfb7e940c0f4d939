import { useTranslation } from 'react-i18next';

const KNOWN_TYPES = ['announcement', 'system', 'news', 'maintenance'] as const;

/** Returns the label of a kind of announcement. Kinds that the panel does not know are returned unchanged. */
export function useTypeLabel(): (type: string) => string {
  const { t } = useTranslation('panel');
  return (type) => {
    const known = KNOWN_TYPES.find((each) => each === type);
    return known === undefined ? type : t(`announcements.types.${known}`);
  };
}

interface Props {
  type: string;
  title: string;
  content: string;
  /** Time at which it was sent. */
  when: string;
}

/** An announcement as its recipients see it. */
export function AnnouncementCard({ type, title, content, when }: Props) {
  const typeLabel = useTypeLabel();
  return (
    <article className="announcement-card">
      <header>
        <span>{typeLabel(type)}</span>
        <span>{when}</span>
      </header>
      <strong>{title}</strong>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text must be scrollable by keyboard */}
      <p tabIndex={0}>{content}</p>
    </article>
  );
}
