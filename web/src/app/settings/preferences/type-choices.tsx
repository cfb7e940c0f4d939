import type { ChangePreferencesRequest, PreferencesResponse } from '@callboard/client';
import { useTranslation } from 'react-i18next';
import { useTypeNames, useTypes } from '../../notifications/types';

interface Props {
  types: PreferencesResponse['types'];
  onChange: (changes: ChangePreferencesRequest) => Promise<void>;
}

/** Stands for chats. */
const MESSAGE = 'message';
/** Types that every user has, before the user's other ones. */
const ALWAYS = [MESSAGE, 'call_missed', 'announcement'];

/** Chooses by type whether notifications enter the list, and whether they are pushed. */
export function TypeChoices({ types, onChange }: Props) {
  const { t } = useTranslation(['client', 'settings']);
  const nameOf = useTypeNames();
  const all = [...new Set([...ALWAYS, ...Object.keys(types), ...useTypes(undefined)])];
  const label = (type: string): string =>
    type === MESSAGE ? t('settings:preferences.messages') : nameOf(type);
  return (
    <table className="type-choices">
      <caption>{t('settings:preferences.types')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('settings:preferences.type')}</th>
          <th scope="col">{t('settings:preferences.inApp')}</th>
          <th scope="col">{t('settings:preferences.push')}</th>
        </tr>
      </thead>
      <tbody>
        {all.map((type) => (
          <tr key={type}>
            <th scope="row">{label(type)}</th>
            {(['in_app', 'push'] as const).map((choice) => (
              <td key={choice}>
                <input
                  type="checkbox"
                  aria-label={t(
                    choice === 'in_app' ? 'settings:preferences.inAppOf' : 'settings:preferences.pushOf',
                    { type: label(type) },
                  )}
                  checked={types[type]?.[choice] ?? true}
                  disabled={type === MESSAGE && choice === 'in_app'}
                  onChange={({ target }) =>
                    void onChange({ types: { [type]: { [choice]: target.checked } } })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
