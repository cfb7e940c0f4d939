import { App, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse, ChangeUsersRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUser } from '../../../shared/sign-in/user-context';
import { changeAllMatching } from '../../parts/bulk/change-all-matching';
import { SelectionBar } from '../../parts/bulk/selection-bar';
import { usePartialWarning } from '../../parts/bulk/use-partial-warning';
import { type ListSelection, deselect } from '../../parts/tables/row-selection';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import type { UsersQuery } from '../users-query';
import { BulkError } from './bulk-error';
import { type RejectedUser, findRejectedUsers } from './rejected-users';

interface Props {
  selection: ListSelection<AdminUserResponse>;
  /** Filters of the list, for changes of all matching users. */
  filters: UsersQuery;
}

/** Maximum number of selected users that the service changes in one request. */
const MAX_USERS = 500;

const CHANGES = {
  enable: { status: 1 },
  disable: { status: 0 },
  makeUser: { role: 'user' },
  makeAdmin: { role: 'admin' },
} as const satisfies Record<string, Omit<ChangeUsersRequest, 'user_ids'>>;
type Change = keyof typeof CHANGES;

/** Actions on the selected users, or on all users that match the filters. */
export function BulkBar({ selection, filters }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const warnPartial = usePartialWarning();
  const me = useUser();
  const [rejected, setRejected] = useState<RejectedUser[]>([]);
  const { selected, isAllMatching } = selection;
  const select: typeof selection.select = (next) => {
    setRejected([]);
    selection.select(next);
  };
  const changing = useToastMutation(
    async (change: Change, total: number) => {
      const changes = CHANGES[change];
      const user_ids = [...selected.keys()];
      const { affected } = isAllMatching
        ? await changeAllMatching(
            (after_id) => callboard.users.changeMatching({ query: filters, body: { ...changes, after_id } }),
            warnPartial,
          )
        : await callboard.users.changeMany({ body: { user_ids, ...changes } });
      void message.success(t('users.bulk.done', { affected, total }));
      select((now) => deselect(now, user_ids));
    },
    {
      changes: ['users', 'sessions', 'audit'],
      onError: (error) => {
        const found = isAllMatching ? [] : findRejectedUsers(error, selected);
        setRejected(found);
        return found.length > 0;
      },
    },
  );
  const hintOf = (change: Change): string => {
    if (isAllMatching) return `${t(`users.bulk.hint.${change}`)} ${t('users.bulk.notYourself')}`;
    return t(selected.has(me.id) ? `users.bulk.own.${change}` : `users.bulk.hint.${change}`);
  };
  const ask = async (change: Change, total: number): Promise<void> => {
    setRejected([]);
    const question = {
      title: t(`users.bulk.ask.${change}`, { count: total, total }),
      content: hintOf(change),
      ok: t(`users.bulk.${change}`),
    };
    if ((change === 'enable' && !isAllMatching) || (await confirm(question)))
      await changing.run(change, total);
  };
  return (
    <SelectionBar
      title={t('users.bulk.title')}
      selection={selection}
      queryKey={['users', filters]}
      countMatching={async (signal) =>
        (await callboard.users.list({ query: { ...filters, per_page: 1 }, signal })).pagination.total
      }
      maxRows={MAX_USERS}
      isBusy={changing.isPending}
      footer={
        rejected.length > 0 && (
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
        )
      }
    >
      {({ total, isDisabled }) =>
        (Object.keys(CHANGES) as Change[]).map((change) => (
          <Button
            key={change}
            danger={change === 'disable'}
            disabled={isDisabled}
            onClick={() => void ask(change, total)}
          >
            {t(`users.bulk.${change}`)}
          </Button>
        ))
      }
    </SelectionBar>
  );
}
