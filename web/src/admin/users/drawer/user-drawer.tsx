import { useQuery } from '@tanstack/react-query';
import { Drawer, Grid, Skeleton, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse } from '@callboard/client';
import { toCallboardError } from '../../../shared/session';
import { useUrlState } from '../../../shared/url-state';
import { oneOf } from '../../parts/filters/one-of';
import { UserSessions } from '../../parts/people/user-sessions';
import { userQuery } from '../../parts/people/user-name';
import { ErrorAlert } from '../../parts/error-alert';
import { UserPresence, UserStatus } from '../user-states';
import { EditUser } from './edit-user';
import { UserPush } from './push/user-push';
import { SetPassword } from './set-password';
import { UserActivity } from './user-activity';
import { UserAudit } from './user-audit';
import { UserCalls } from './user-calls';

const TABS = ['edit', 'activity', 'password', 'sessions', 'push', 'calls', 'audit'] as const;
const NOT_FOUND = 404;
/** Gutter of the tabs on a phone, where they scroll. */
const NARROW_GUTTER = 12;

/** Everything about the user in the URL (`user`), in tabs (`tab`). */
export function UserDrawer() {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isWide = Grid.useBreakpoint().md ?? true;
  const userId = url.number('user');
  // The last user stays rendered while the drawer closes.
  const [shown, setShown] = useState(userId);
  if (userId !== undefined && userId !== shown) setShown(userId);
  return (
    <Drawer
      open={userId !== undefined}
      size={isWide ? 680 : '100%'}
      title={shown !== undefined && <Title userId={shown} />}
      destroyOnHidden
      closable={{ 'aria-label': t('parts.close') }}
      onClose={() => url.set({ user: null, tab: null })}
    >
      {shown !== undefined && <Content key={shown} userId={shown} />}
    </Drawer>
  );
}

function Title({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const { data } = useQuery(userQuery(userId));
  if (data === undefined) return t('parts.unnamedUser', { id: userId });
  return (
    <div className="drawer-head">
      <h2>{data.name}</h2>
      <UserStatus {...data} />
      <UserPresence {...data} />
    </div>
  );
}

function Content({ userId }: { userId: number }) {
  const { t } = useTranslation('panel');
  const { data, error, refetch, isPending } = useQuery(userQuery(userId));
  if (isPending) return <Skeleton active title={false} />;
  if (data !== undefined) return <UserTabs user={data} />;
  const isGone = toCallboardError(error).code === NOT_FOUND;
  return (
    <ErrorAlert
      error={error}
      advice={isGone ? t('users.gone') : undefined}
      onRetry={isGone ? undefined : () => void refetch()}
    />
  );
}

function UserTabs({ user }: { user: AdminUserResponse }) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const isWide = Grid.useBreakpoint().md ?? true;
  const content = {
    edit: <EditUser user={user} />,
    activity: <UserActivity userId={user.id} />,
    password: <SetPassword user={user} />,
    sessions: <UserSessions userId={user.id} />,
    push: <UserPush userId={user.id} />,
    calls: <UserCalls userId={user.id} />,
    audit: <UserAudit userId={user.id} />,
  };
  return (
    <Tabs
      tabBarGutter={isWide ? undefined : NARROW_GUTTER}
      activeKey={oneOf(TABS, url.text('tab')) ?? 'edit'}
      onChange={(tab) => url.set({ tab: tab === 'edit' ? null : tab })}
      items={TABS.map((key) => ({ key, label: t(`users.tabs.${key}`), children: content[key] }))}
    />
  );
}
