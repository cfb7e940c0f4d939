import { Card, Flex, Typography } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useUrlState } from '../../shared/url-state';
import { UserSessions } from '../parts/people/user-sessions';
import { useUserName } from '../parts/people/user-name';
import { UserPicker } from '../parts/remote-picker';
import { ScreenHeader } from '../parts/screen-header';
import { OwnSessions } from './own-sessions';

/** Sessions of a user, found by search, and those of the signed-in user. */
export function SessionsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const userId = url.number('user');
  return (
    <>
      <ScreenHeader title={t('screens.sessions')}>
        <Link href="/users?online=1&sort=-last_seen_at">{t('sessions.online')}</Link>
      </ScreenHeader>
      <Flex vertical gap="middle">
        <Card title={<h2>{t('sessions.find')}</h2>}>
          {userId === undefined ? (
            <>
              <UserPicker
                aria-label={t('sessions.find')}
                style={{ width: '100%', maxWidth: '28rem' }}
                onChange={([picked]) => url.set({ user: picked?.value }, { push: true })}
              />
              <Typography.Paragraph type="secondary" style={{ margin: '0.75rem 0 0' }}>
                {t('sessions.findHint')}
              </Typography.Paragraph>
            </>
          ) : (
            <SessionsOf key={userId} userId={userId} />
          )}
        </Card>
        <Card title={<h2>{t('sessions.own')}</h2>}>
          <OwnSessions />
        </Card>
      </Flex>
    </>
  );
}

function SessionsOf({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const name = useUserName(userId);
  return (
    <Flex vertical gap="middle">
      <Flex gap="middle" align="center" wrap>
        <UserPicker
          aria-label={t('sessions.find')}
          style={{ width: '100%', maxWidth: '28rem' }}
          value={{ value: userId, label: name }}
          onChange={([picked]) => url.set({ user: picked?.value }, { push: true })}
        />
        <Link href={`/users?user=${userId}`}>{t('sessions.toUser')}</Link>
      </Flex>
      <UserSessions userId={userId} />
    </Flex>
  );
}
