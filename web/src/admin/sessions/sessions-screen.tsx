import { Flex } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { AnySessionResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useUrlState } from '../../shared/url-state';
import { FilterBar } from '../parts/filters/filter-bar';
import { EndAllSessions } from '../parts/people/end-all-sessions';
import { useUserName } from '../parts/people/user-name';
import { UserPicker } from '../parts/remote-picker';
import { ScreenHeader } from '../parts/screen-header';
import { PagedTable } from '../parts/tables/paged-table';
import { useListView } from '../parts/tables/use-list-view';
import { useSessionColumns } from './session-columns';

/** The sessions of all users, or of one, most recently used first. */
export function SessionsScreen() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const userId = url.number('user');
  const view = useListView('sessions', useSessionColumns());
  return (
    <>
      <ScreenHeader title={t('screens.sessions')}>
        <Link href="/account">{t('sessions.own')}</Link>
        <Link href="/users?online=1&sort=-last_seen_at">{t('sessions.online')}</Link>
      </ScreenHeader>
      <FilterBar names={['user']} view={view}>
        {userId === undefined ? <UserFilter /> : <PickedUser key={userId} userId={userId} />}
      </FilterBar>
      <PagedTable<AnySessionResponse>
        queryKey={['sessions', 'all', userId]}
        fetch={(page, signal) =>
          callboard.users.listAllSessions({ query: { ...page, user_id: userId }, signal })
        }
        rowKey="id"
        view={view}
        emptyText={t('sessions.none')}
      />
    </>
  );
}

function UserFilter({ value }: { value?: { value: number; label: string } }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  return (
    <UserPicker
      aria-label={t('sessions.find')}
      style={{ width: '20rem', maxWidth: '100%' }}
      value={value}
      onChange={([picked]) => url.set({ user: picked?.value, page: null }, { push: true })}
    />
  );
}

/** The user in the URL, whose sessions can be ended together. */
function PickedUser({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const name = useUserName(userId);
  return (
    <Flex gap="small" align="center" wrap>
      <UserFilter value={{ value: userId, label: name }} />
      <EndAllSessions userId={userId} />
      <Link href={`/users?user=${userId}`}>{t('sessions.toUser')}</Link>
    </Flex>
  );
}
