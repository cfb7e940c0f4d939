import { useTranslation } from 'react-i18next';
import { Icon } from '../icons';
import { useOpenFinder } from './finder-layer';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Button that looks like a field and opens the search, with its keyboard shortcut. */
export function FinderButton() {
  const { t } = useTranslation('client');
  const open = useOpenFinder();
  return (
    <button
      type="button"
      className="finder-button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={open}
    >
      <Icon name="search" size={18} />
      <span>{t('conversations.find')}</span>
      <kbd aria-hidden="true">{IS_APPLE ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}
