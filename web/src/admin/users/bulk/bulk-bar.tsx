import { App, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse, ChangeUsersRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUser } from '../../../shared/sign-in/user-context';
import { type SelectedRows, deselect } from '../../parts/tables/row-selection';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import { BulkError } from './bulk-error';
import { type RejectedUser, findRejectedUsers } from './rejected-users';

interface Props {
  selected: SelectedRows<AdminUserResponse>;
  onSelect: (selected: SelectedRows<AdminUserResponse>) => void;
}

/** Maximum number of users that the service changes in one request. */
const MAX_USERS = 500;

const CHANGES = {
  enable: { status: 1 },
  disable: { status: 0 },
  makeUser: { role: 'user' },
  makeAdmin: { role: 'admin' },
} as const satisfies Record<string, Omit<ChangeUsersRequest, 'user_ids'>>;
type Change = keyof typeof CHANGES;

/** Actions on all selected users. */
export function BulkBar({ selected, onSelect }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const me = useUser();
  const [rejected, setRejected] = useState<RejectedUser[]>([]);
  const total = selected.size;
  const changing = useToastMutation(
    async (change: Change) => {
      const body = { user_ids: [...selected.keys()], ...CHANGES[change] };
      const { affected } = await callboard.users.changeMany({ body });
      void message.success(t('users.bulk.done', { affected, total }));
      onSelect(new Map());
    },
    {
      changes: ['users', 'sessions', 'audit'],
      onError: (error) => {
        const found = findRejectedUsers(error, selected);
        setRejected(found);
        return found.length > 0;
      },
    },
  );
  const ask = async (change: Change): Promise<void> => {
    setRejected([]);
    const question = {
      title: t(`users.bulk.ask.${change}`, { count: total, total }),
      content: t(selected.has(me.id) ? `users.bulk.own.${change}` : `users.bulk.hint.${change}`),
      ok: t(`users.bulk.${change}`),
    };
    if (change === 'enable' || (await confirm(question))) await changing.run(change);
  };
  const select = (next: SelectedRows<AdminUserResponse>): void => {
    setRejected([]);
    onSelect(next);
  };
  if (total === 0) return <output className="for-screen-readers">{t('users.bulk.noneSelected')}</output>;
  return (
    <section className="bulk-bar" aria-label={t('users.bulk.title')} aria-busy={changing.isPending}>
      <Flex gap="small" align="center" wrap>
        <output>{t('users.bulk.chosen', { total })}</output>
        {(Object.keys(CHANGES) as Change[]).map((change) => (
          <Button
            key={change}
            danger={change === 'disable'}
            disabled={total > MAX_USERS}
            onClick={() => void ask(change)}
          >
            {t(`users.bulk.${change}`)}
          </Button>
        ))}
        <Button type="link" onClick={() => select(new Map())}>
          {t('users.bulk.clear')}
        </Button>
        {total > MAX_USERS && <span role="alert">{t('users.bulk.tooMany', { most: MAX_USERS })}</span>}
      </Flex>
      {rejected.length > 0 && (
        <BulkError
          rejected={rejected}
          onDeselect={() =>
            select(
              deselect(
                selected,
                rejected.map(({ id }) => id),
              ),
            )
          }
        />
      )}
    </section>
  );
}
