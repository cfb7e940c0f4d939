import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConversationResponse, MemberResponse } from '@callboard/client';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import { useUser } from '../../../shared/sign-in/user-context';
import { AvatarUpload } from '../../attachments/avatar-upload';
import { BlockDialog } from '../../contacts/block-dialog';
import { ConfirmDialog } from '../../parts/confirm-dialog';
import { Dialog } from '../../parts/dialog';
import { usePresence } from '../../parts/presence';
import { Retry } from '../../parts/retry';
import { AddMembers } from './add-members';
import { MemberRow } from './member-row';
import { RenameGroup } from './rename-group';

const PER_PAGE = 50;

interface Props {
  conversation: ConversationResponse;
  onClose: () => void;
}

interface Question {
  title: string;
  text: string;
  act: () => Promise<unknown>;
}

const nameOf = (member: MemberResponse): string => member.name ?? `#${member.user_id}`;

/** Dialog of a group: its name, its members, and the actions of its owner. */
export function GroupDialog({ conversation, onClose }: Props) {
  const { t } = useTranslation('client');
  const { id, name, role, member_count: count } = conversation;
  const [, go] = useLocation();
  const userId = useUser().id;
  const isOwner = role === 'owner';
  const [question, setQuestion] = useState<Question>();
  const [blocking, setBlocking] = useState<{ userId: number; name: string; isBlocked: boolean }>();
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ['members', id, count, role],
    queryFn: ({ pageParam, signal }) =>
      callboard.conversations.listMembers({
        path: { id },
        query: { page: pageParam, per_page: PER_PAGE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.current_page + 1 : undefined),
  });
  const members = data?.pages.flatMap(({ items }) => items) ?? [];
  const presence = usePresence(members.map(({ user_id }) => user_id));

  const changed = () => queryClient.invalidateQueries({ queryKey: ['members', id] });
  const remove = (member: MemberResponse): void =>
    setQuestion({
      title: t('conversations.removeName', { name: nameOf(member) }),
      text: t('conversations.removeText', { name: nameOf(member) }),
      act: async () => {
        await callboard.conversations.removeMember({ path: { id, userId: member.user_id } });
        await changed();
      },
    });
  const handOver = (member: MemberResponse): void =>
    setQuestion({
      title: t('conversations.makeOwner'),
      text: t('conversations.makeOwnerText', { name: nameOf(member) }),
      act: async () => {
        await callboard.conversations.changeOwner({ path: { id }, body: { user_id: member.user_id } });
        await changed();
      },
    });
  const leaveAfter = async (act: Promise<unknown>): Promise<void> => {
    await act;
    go('/conversations');
  };
  const leave = (): void =>
    setQuestion({
      title: t('conversations.leave'),
      text: t('conversations.leaveText'),
      act: () => leaveAfter(callboard.conversations.removeMember({ path: { id, userId } })),
    });
  const end = (): void =>
    setQuestion({
      title: t('conversations.end'),
      text: t('conversations.endText'),
      act: () => leaveAfter(callboard.conversations.delete({ path: { id } })),
    });

  return (
    <Dialog title={name} onClose={onClose}>
      {isOwner && (
        <AvatarUpload
          name={name}
          url={conversation.avatar}
          upload={(file, onProgress) =>
            callboard.attachments.uploadAvatar(file, { conversationId: id, onProgress })
          }
          remove={() => callboard.conversations.change({ path: { id }, body: { avatar: null } })}
        />
      )}
      {isOwner && <RenameGroup conversation={conversation} />}
      <h3>{t('conversations.membersCount', { count: count ?? members.length })}</h3>
      {error !== null && <Retry error={error} onRetry={() => void refetch()} />}
      <ul className="plain-list" aria-label={t('conversations.members')}>
        {members.map((member) => (
          <MemberRow
            key={member.user_id}
            member={member}
            isSelf={member.user_id === userId}
            presence={presence.get(member.user_id)}
            onBlock={(one, isBlocked) => setBlocking({ userId: one.user_id, name: nameOf(one), isBlocked })}
            onRemove={isOwner ? remove : undefined}
            onHandOver={isOwner ? handOver : undefined}
          />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {t('conversations.more')}
        </button>
      )}
      {isOwner && <AddMembers conversationId={id} members={members} onAdded={() => void changed()} />}
      <div className="buttons">
        <button type="button" className="dangerous" onClick={leave}>
          {t('conversations.leave')}
        </button>
        {isOwner && (
          <button type="button" className="dangerous" onClick={end}>
            {t('conversations.end')}
          </button>
        )}
      </div>
      {blocking !== undefined && <BlockDialog {...blocking} onClose={() => setBlocking(undefined)} />}
      {question !== undefined && (
        <ConfirmDialog {...question} confirm={question.title} onClose={() => setQuestion(undefined)} />
      )}
    </Dialog>
  );
}
