import { useTranslation } from 'react-i18next';

const KNOWN_TYPES = ['announcement', 'system', 'news', 'maintenance'] as const;

/** The name of a kind of announcement; what somebody made up stays as it is. */
export function useTypeWord(): (type: string) => string {
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
  /** When it was sent. */
  when: string;
}

/** An announcement as people read it. */
export function AnnouncementCard({ type, title, content, when }: Props) {
  const typeWord = useTypeWord();
  return (
    <article className="announcement-card">
      <header>
        <span>{typeWord(type)}</span>
        <span>{when}</span>
      </header>
      <strong>{title}</strong>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled by keyboard, too */}
      <p tabIndex={0}>{content}</p>
    </article>
  );
}
