import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../shared/client-config';

/** As long as the service takes them. */
const MAX_KEYWORD = 64;

/** Whom to look for, with how this service lets people be found. */
export function SearchField({ typed, onType }: { typed: string; onType: (text: string) => void }) {
  const { t } = useTranslation('client');
  const id = useId();
  const directory = useClientConfig()?.features.user_directory;
  if (directory === 'off') return <p className="list-note">{t('contacts.directory.off')}</p>;
  return (
    <search className="contacts-search">
      <label htmlFor={id} className="for-screen-readers">
        {t('contacts.search')}
      </label>
      <input
        id={id}
        type="search"
        value={typed}
        maxLength={MAX_KEYWORD}
        autoComplete="off"
        placeholder={t('contacts.search')}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onType(target.value)}
      />
      <p id={`${id}-hint`} className="hint">
        {directory !== undefined && t(`contacts.directory.${directory}`)}
      </p>
    </search>
  );
}
