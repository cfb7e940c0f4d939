import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientConfig } from '../../shared/client-config';

/** Maximum length of a keyword, as in the service. */
const MAX_KEYWORD = 64;

/** Search field with a hint about how users can be found on this service. */
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
