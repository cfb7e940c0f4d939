import { useTranslation } from 'react-i18next';
import { Icon } from '../../icons';

interface Props {
  showsUnread: boolean;
  showsNewest: boolean;
  /** Number of unread messages. */
  count: number;
  onUnread: () => void;
  onNewest: () => void;
}

/** Buttons that jump to the unread divider above and to the newest message below. */
export function JumpButtons({ showsUnread, showsNewest, count, onUnread, onNewest }: Props) {
  const { t } = useTranslation('client');
  return (
    <>
      {showsUnread && (
        <button type="button" className="jump to-unread" onClick={onUnread}>
          <Icon name="up" size={18} />
          {t('chat.toUnread')}
        </button>
      )}
      {showsNewest && (
        <button type="button" className="jump to-newest" onClick={onNewest}>
          <Icon name="down" size={18} />
          {count > 0 ? t('chat.toNewestCount', { count }) : t('chat.toNewest')}
        </button>
      )}
    </>
  );
}
