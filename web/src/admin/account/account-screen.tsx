import { useQuery } from '@tanstack/react-query';
import { Card, Flex, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../parts/error-alert';
import { ScreenHeader } from '../parts/screen-header';
import { OwnSessions } from '../sessions/own-sessions';
import { OwnPassword } from './own-password';
import { OwnProfile } from './own-profile';
import { ownProfileQuery } from './use-own-profile';
import './account.css';

/** The signed-in administrator's own profile, password and sessions. */
export function AccountScreen() {
  const { t } = useTranslation('panel');
  const { data, error, isPending, refetch } = useQuery(ownProfileQuery);
  return (
    <>
      <ScreenHeader title={t('screens.account')} />
      <Flex vertical gap="middle">
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        {isPending && error === null && <Skeleton active />}
        {data !== undefined && (
          <div className="account-cards">
            <Card title={<h2>{t('account.profile')}</h2>}>
              <OwnProfile key={data.id} me={data} />
            </Card>
            <Card title={<h2>{t('account.password')}</h2>}>
              <OwnPassword account={data.account} />
            </Card>
          </div>
        )}
        <Card title={<h2>{t('sessions.own')}</h2>}>
          <OwnSessions />
        </Card>
      </Flex>
    </>
  );
}
