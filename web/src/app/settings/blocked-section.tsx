import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockedPersonResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useFormat } from '../format';
import { Picture } from '../../shared/picture';
import { ErrorMessage } from '../../shared/error-message';
import { queryClient } from '../../shared/query-client';
import { useServiceMutation } from '../../shared/use-service-mutation';
import { Retry } from '../parts/retry';
import { useEvents } from '../use-events';
import { Section } from './section';

const KEY = 'blocked-people';

/** List of the users that the user has blocked, each with a button that unblocks. */
export function BlockedSection() {
  const { t } = useTranslation(['client', 'settings', 'shared']);
  const blocked = useInfiniteQuery({
    queryKey: [KEY],
    queryFn: ({ pageParam, signal }) => callboard.people.listBlocks({ query: { page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  useEvents(({ type }) => {
    if (type === 'user.block_changed') void queryClient.invalidateQueries({ queryKey: [KEY] });
  });
  const items = blocked.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title={t('settings:blocked.title')} hint={t('settings:blocked.hint')}>
      {blocked.isPending && <output className="soft">{t('shared:starting')}</output>}
      {blocked.error !== null && <Retry error={blocked.error} onRetry={() => void blocked.refetch()} />}
      {blocked.isSuccess && items.length === 0 && <p className="soft">{t('settings:blocked.none')}</p>}
      <ul className="settings-list">
        {items.map((person) => (
          <BlockedRow key={person.id} person={person} />
        ))}
      </ul>
      {blocked.hasNextPage && (
        <button type="button" disabled={blocked.isFetching} onClick={() => void blocked.fetchNextPage()}>
          {t('settings:blocked.more')}
        </button>
      )}
    </Section>
  );
}

function BlockedRow({ person: { id, name, avatar, blocked_at } }: { person: BlockedPersonResponse }) {
  const { t } = useTranslation(['client', 'settings']);
  const format = useFormat();
  const row = useRef<HTMLLIElement>(null);
  const unblocking = useServiceMutation(() => callboard.people.unblockUser({ path: { id } }), {
    changes: [KEY],
  });
  const unblock = (): void => {
    // Moves the focus, which would be lost with the row.
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
    const next = neighbour?.querySelector('button') ?? row.current?.closest('section')?.querySelector('h2');
    next?.focus();
    void unblocking.run();
  };
  return (
    <li ref={row}>
      <Picture name={name} url={avatar} id={id} />
      <div className="settings-item">
        <strong>{name}</strong>
        <div className="soft">{t('settings:blocked.since', { time: format.momentInText(blocked_at) })}</div>
        {unblocking.error !== undefined && <ErrorMessage error={unblocking.error} />}
      </div>
      <button
        type="button"
        aria-label={t('settings:blocked.unblockWhom', { name })}
        disabled={unblocking.isPending}
        onClick={unblock}
      >
        {t('settings:blocked.unblock')}
      </button>
    </li>
  );
}
