import { CheckOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { changeLanguage, LANGUAGES, useLanguage } from '../../shared/i18n/i18n';
import { Picture } from '../../shared/picture';
import { logOut } from '../../shared/session';
import { chooseTheme, THEMES, useTheme } from '../../shared/theme';
import { useOwnProfile } from '../account/use-own-profile';
import { useToastMutation } from '../parts/use-toast-mutation';

const LANGUAGE_NAMES = { 'zh-CN': 'language.zh', en: 'language.en' } as const;

/**
 * Button with the signed-in user. Its menu has theme, language, links to the web client and the API documentation, and
 * log-out.
 */
export function AccountMenu() {
  const { t } = useTranslation(['shared', 'panel']);
  const { name, avatar } = useOwnProfile();
  const [, navigate] = useLocation();
  const theme = useTheme();
  const language = useLanguage();
  const changing = useToastMutation(changeLanguage);
  const mark = (isChosen: boolean) =>
    isChosen ? <CheckOutlined aria-label={t('panel:account.chosen')} /> : <span className="no-mark" />;
  return (
    <Dropdown
      trigger={['click']}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu takes the focus when it opens, and restores it
      autoFocus
      placement="bottomRight"
      getPopupContainer={(button) => button.parentElement ?? document.body}
      menu={{
        items: [
          {
            type: 'group',
            label: t('theme.label'),
            children: THEMES.map((key) => ({
              key,
              icon: mark(key === theme),
              label: t(`theme.${key}`),
              onClick: () => chooseTheme(key),
            })),
          },
          {
            type: 'group',
            label: t('language.label'),
            children: LANGUAGES.map((key) => ({
              key,
              icon: mark(key === language),
              label: <span lang={key}>{t(LANGUAGE_NAMES[key])}</span>,
              onClick: () => void changing.run(key),
            })),
          },
          { type: 'divider' },
          { key: 'account', label: t('panel:screens.account'), onClick: () => navigate('/account') },
          { key: 'client', label: t('panel:toClient'), onClick: () => location.assign('/') },
          { key: 'docs', label: t('panel:toDocs'), onClick: () => location.assign('/docs') },
          { type: 'divider' },
          { key: 'log-out', label: t('logOut'), onClick: () => void logOut() },
        ],
      }}
    >
      <Button type="text" className="account">
        <Picture name={name} url={avatar} />
        <span className="account-name">{name}</span>
      </Button>
    </Dropdown>
  );
}
