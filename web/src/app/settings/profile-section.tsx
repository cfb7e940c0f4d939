import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChangeProfileRequest } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { useLanguage } from '../../shared/i18n/i18n';
import { Picture } from '../../shared/picture';
import { ErrorMessage } from '../../shared/error-message';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { AvatarUpload } from '../attachments/avatar-upload';
import { setMe, useMe } from '../me';
import { Field } from './field';
import { fieldErrorText } from './field-error-text';
import { Section } from './section';
import { Toggle } from './toggle';

const MAX_ADDRESS = 500;

type Switches = Pick<ChangeProfileRequest, 'discoverable' | 'presence_visible'>;

const change = async (body: ChangeProfileRequest): Promise<void> =>
  setMe(await callboard.identity.changeProfile({ body }));

/** Form for name and picture, if the service allows changing them, and switches for what other users see. */
export function ProfileSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  const language = useLanguage();
  const config = useClientConfig();
  const me = useMe();
  // Typed text is kept when the profile is changed on another device meanwhile.
  const [typed, setTyped] = useState<{ name?: string; avatar?: string }>({});
  const saving = useServiceMutation(change);
  // A switch moves immediately, and back if the service refuses the change.
  const [switched, setSwitched] = useState<Switches>({});
  const switching = useServiceMutation((body: Switches) => change(body).finally(() => setSwitched({})));
  const turn = (body: Switches): void => {
    if (switching.isPending) return;
    setSwitched(body);
    void switching.run(body);
  };
  const isFixed = config?.features.profile_editing === false;
  const name = typed.name ?? me.name;
  const avatar = typed.avatar ?? me.avatar ?? '';
  const isChanged = name !== me.name || avatar !== (me.avatar ?? '');
  const wrongField = saving.error?.field;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!(await saving.run({ ...typed, ...(typed.avatar === '' && { avatar: null }) }))) return;
    // Keeps what was typed during the request.
    setTyped((now) => ({
      ...(now.name !== typed.name && { name: now.name }),
      ...(now.avatar !== typed.avatar && { avatar: now.avatar }),
    }));
  };
  return (
    <Section title={t('settings:profile.title')}>
      <div className="person">
        {isFixed && <Picture name={me.name} url={me.avatar} id={me.id} />}
        <div>
          <strong>{me.name}</strong>
          <div className="soft">
            {[me.account, t(`shared:roles.${me.role ?? 'user'}`)].filter(Boolean).join(' · ')}
          </div>
        </div>
      </div>
      {!isFixed && (
        <AvatarUpload
          name={me.name}
          url={me.avatar}
          upload={async (file, onProgress) =>
            setMe(await callboard.attachments.uploadAvatar(file, { onProgress }))
          }
          remove={() => change({ avatar: null })}
        />
      )}
      {isFixed ? (
        <p className="soft">{t('settings:profile.fixed')}</p>
      ) : (
        <form className="settings-form" noValidate onSubmit={(event) => void save(event)}>
          <Field
            label={t('settings:profile.name')}
            value={name}
            autoComplete="name"
            maxLength={config?.limits.name_length}
            error={fieldErrorText('name', saving.error, language)}
            onChange={({ target }) => setTyped({ ...typed, name: target.value })}
          />
          <Field
            label={t('settings:profile.picture')}
            hint={t('settings:profile.pictureHint')}
            type="url"
            value={avatar}
            autoComplete="photo"
            maxLength={MAX_ADDRESS}
            error={fieldErrorText('avatar', saving.error, language)}
            onChange={({ target }) => setTyped({ ...typed, avatar: target.value })}
          />
          {saving.error !== undefined && wrongField !== 'name' && wrongField !== 'avatar' && (
            <ErrorMessage error={saving.error} />
          )}
          <div className="settings-acts">
            <button type="submit" className="primary" disabled={!isChanged || saving.isPending}>
              {t('settings:save')}
            </button>
            <output className="done">{saving.isSuccess && !isChanged && t('settings:saved')}</output>
          </div>
        </form>
      )}
      {me.discoverable !== undefined && me.presence_visible !== undefined && (
        <>
          {/* Users can be found by name only in an open directory. */}
          {config?.features.user_directory === 'open' && (
            <Toggle
              label={t('settings:profile.discoverable')}
              hint={t('settings:profile.discoverableHint')}
              isOn={switched.discoverable ?? me.discoverable}
              onChange={(discoverable) => turn({ discoverable })}
            />
          )}
          <Toggle
            label={t('settings:profile.presence')}
            hint={t('settings:profile.presenceHint')}
            isOn={switched.presence_visible ?? me.presence_visible}
            onChange={(visible) => turn({ presence_visible: visible })}
          />
          {switching.error !== undefined && <ErrorMessage error={switching.error} />}
        </>
      )}
    </Section>
  );
}
