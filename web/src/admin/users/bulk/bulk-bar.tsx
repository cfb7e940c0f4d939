import { App, Button, Flex } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdminUserResponse, ChangeUsersRequest } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useUser } from '../../../shared/sign-in/user-context';
import { type Chosen, without } from '../../parts/tables/chosen-rows';
import { useToastMutation } from '../../parts/use-toast-mutation';
import { useConfirm } from '../../parts/use-confirm';
import { BulkRefusal } from './bulk-refusal';
import { type RefusedUser, refusedUsers } from './refused-users';

interface Props {
  chosen: Chosen<AdminUserResponse>;
  onChoose: (chosen: Chosen<AdminUserResponse>) => void;
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
export function BulkBar({ chosen, onChoose }: Props) {
  const { t } = useTranslation('panel');
  const { message } = App.useApp();
  const confirm = useConfirm();
  const me = useUser();
  const [refused, setRefused] = useState<RefusedUser[]>([]);
  const total = chosen.size;
  const changing = useToastMutation(
    async (change: Change) => {
      const body = { user_ids: [...chosen.keys()], ...CHANGES[change] };
      const { affected } = await callboard.users.changeMany({ body });
      void message.success(t('users.bulk.done', { affected, total }));
      onChoose(new Map());
    },
    {
      changes: ['users', 'sessions', 'audit'],
      onError: (error) => {
        const found = refusedUsers(error, chosen);
        setRefused(found);
        return found.length > 0;
      },
    },
  );
  const ask = async (change: Change): Promise<void> => {
    setRefused([]);
    const question = {
      title: t(`users.bulk.ask.${change}`, { count: total, total }),
      content: t(chosen.has(me.id) ? `users.bulk.own.${change}` : `users.bulk.hint.${change}`),
      ok: t(`users.bulk.${change}`),
    };
    if (change === 'enable' || (await confirm(question))) await changing.run(change);
  };
  const choose = (next: Chosen<AdminUserResponse>): void => {
    setRefused([]);
    onChoose(next);
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
        <Button type="link" onClick={() => choose(new Map())}>
          {t('users.bulk.clear')}
        </Button>
        {total > MAX_USERS && <span role="alert">{t('users.bulk.tooMany', { most: MAX_USERS })}</span>}
      </Flex>
      {refused.length > 0 && (
        <BulkRefusal
          refused={refused}
          onTakeOut={() =>
            choose(
              without(
                chosen,
                refused.map(({ id }) => id),
              ),
            )
          }
        />
      )}
    </section>
  );
}
