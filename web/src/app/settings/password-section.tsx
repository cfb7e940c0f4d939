import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../shared/callboard';
import { useLanguage } from '../../shared/i18n/i18n';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { useMe } from '../me';
import { Field } from './field';
import { fieldErrorText } from './field-error-text';
import { Section } from './section';

const EMPTY = { old: '', new: '', again: '' };
const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/** Form that changes the password, which ends the user's other sessions. */
export function PasswordSection() {
  const { t } = useTranslation(['client', 'settings']);
  const language = useLanguage();
  const { account } = useMe();
  const [typed, setTyped] = useState(EMPTY);
  const [isDifferent, setDifferent] = useState(false);
  const changing = useServiceMutation(
    () =>
      callboard.identity.changeOwnPassword({
        body: { old_password: typed.old, new_password: typed.new },
      }),
    { changes: ['sessions'] },
  );
  const wrongField = changing.error?.field;
  const isKnownField = wrongField === 'old_password' || wrongField === 'new_password';
  const isFilled = typed.old !== '' && typed.new !== '' && typed.again !== '';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setDifferent(typed.new !== typed.again);
    if (typed.new === typed.again && (await changing.run())) setTyped(EMPTY);
  };
  const fieldFor = (name: keyof typeof EMPTY) => ({
    type: 'password',
    maxLength: MAX_LENGTH,
    value: typed[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: target.value }),
  });
  return (
    <Section title={t('settings:password.title')} hint={t('settings:password.hint')}>
      <form className="settings-form" noValidate onSubmit={(event) => void submit(event)}>
        {/* Password managers need the account name. */}
        <input type="text" autoComplete="username" value={account ?? ''} readOnly hidden />
        <Field
          {...fieldFor('old')}
          label={t('settings:password.old')}
          autoComplete="current-password"
          error={wrongField === 'old_password' ? t('settings:password.wrong') : undefined}
        />
        <Field
          {...fieldFor('new')}
          label={t('settings:password.new')}
          hint={t('settings:password.rule', { min: MIN_LENGTH })}
          autoComplete="new-password"
          error={fieldErrorText('new_password', changing.error, language)}
        />
        <Field
          {...fieldFor('again')}
          label={t('settings:password.again')}
          autoComplete="new-password"
          error={isDifferent ? t('settings:password.different') : undefined}
        />
        {changing.error !== undefined && !isKnownField && <ErrorMessage error={changing.error} />}
        <div className="settings-acts">
          <button type="submit" className="primary" disabled={!isFilled || changing.isPending}>
            {t('settings:password.submit')}
          </button>
          <output className="done">{changing.isSuccess && !isFilled && t('settings:password.done')}</output>
        </div>
      </form>
    </Section>
  );
}
