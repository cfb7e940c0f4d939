import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemberResponse } from '@callboard/client';
import { useLocation } from 'wouter';
import { callboard } from '../../../shared/callboard';
import { queryClient } from '../../../shared/query-client';
import { Picture } from '../../../shared/picture';
import { useUser } from '../../../shared/sign-in/user-context';
import { AvatarUpload } from '../../attachments/avatar-upload';
import { BlockDialog } from '../../contacts/block-dialog';
import { ConfirmDialog } from '../../parts/confirm-dialog';
import { useOpenChat } from '../chat-context';
import { AddMembers } from './add-members';
import { MemberList } from './member-list';
import { RenameGroup } from './rename-group';
import { SettingsButtons } from './settings-buttons';
import { TransferDialog } from './transfer-dialog';
import { useMembers } from './use-members';

interface Question {
  title: string;
  text: string;
  act: () => Promise<unknown>;
  onDone?: () => void;
}

export const nameOf = (member: MemberResponse): string => member.name ?? `#${member.user_id}`;

/** Details of a group: name, settings, members, and the actions of its owner. */
export function GroupDetails() {
  const { t } = useTranslation(['client', 'find']);
  const { conversation } = useOpenChat();
  const { id, name, avatar, role, member_count: count } = conversation;
  const [, go] = useLocation();
  const userId = useUser().id;
  const isOwner = role === 'owner';
  const members = useMembers(conversation);
  const [dialog, setDialog] = useState<'add' | 'transfer'>();
  const [question, setQuestion] = useState<Question>();
  const [blocking, setBlocking] = useState<{ userId: number; name: string; isBlocked: boolean }>();

  const changed = () => queryClient.invalidateQueries({ queryKey: ['members', id] });
  const remove = (member: MemberResponse): void =>
    setQuestion({
      title: t('client:conversations.removeName', { name: nameOf(member) }),
      text: t('client:conversations.removeText', { name: nameOf(member) }),
      act: async () => {
        await callboard.conversations.removeMember({ path: { id, userId: member.user_id } });
        await changed();
      },
    });
  const handOver = (member: MemberResponse): void =>
    setQuestion({
      title: t('client:conversations.makeOwner'),
      text: t('client:conversations.makeOwnerText', { name: nameOf(member) }),
      act: async () => {
        await callboard.conversations.changeOwner({ path: { id }, body: { user_id: member.user_id } });
        await changed();
      },
    });
  const closeChat = (): void => go('/conversations');
  const leave = (): void =>
    setQuestion({
      title: t('client:conversations.leave'),
      text: t('client:conversations.leaveText'),
      act: () => callboard.conversations.removeMember({ path: { id, userId } }),
      onDone: closeChat,
    });
  const end = (): void =>
    setQuestion({
      title: t('client:conversations.end'),
      text: t('client:conversations.endText'),
      act: () => callboard.conversations.delete({ path: { id } }),
      onDone: closeChat,
    });

  return (
    <div className="side-body">
      <div className="side-person">
        {isOwner ? (
          <AvatarUpload
            name={name}
            url={avatar}
            upload={(file, onProgress) =>
              callboard.attachments.uploadAvatar(file, { conversationId: id, onProgress })
            }
            remove={() => callboard.conversations.change({ path: { id }, body: { avatar: null } })}
          />
        ) : (
          <Picture name={name} url={avatar} id={id} />
        )}
        <h3>{name}</h3>
        <span className="soft">{t('client:conversations.membersCount', { count: count ?? 0 })}</span>
      </div>
      <SettingsButtons />
      {isOwner && <RenameGroup conversation={conversation} />}
      <MemberList
        members={members}
        onAdd={isOwner ? () => setDialog('add') : undefined}
        onBlock={(member, isBlocked) =>
          setBlocking({ userId: member.user_id, name: nameOf(member), isBlocked })
        }
        onRemove={isOwner ? remove : undefined}
        onHandOver={isOwner ? handOver : undefined}
      />
      <div className="side-links">
        {isOwner && (
          <button type="button" onClick={() => setDialog('transfer')}>
            {t('find:transfer')}
          </button>
        )}
        <button type="button" className="dangerous" onClick={leave}>
          {t('client:conversations.leave')}
        </button>
        {isOwner && (
          <button type="button" className="dangerous" onClick={end}>
            {t('client:conversations.end')}
          </button>
        )}
      </div>
      {dialog === 'add' && (
        <AddMembers
          conversationId={id}
          memberIds={new Set(members.loaded.map((member) => member.user_id))}
          onAdded={() => void changed()}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'transfer' && (
        <TransferDialog
          conversationId={id}
          onDone={() => void changed()}
          onClose={() => setDialog(undefined)}
        />
      )}
      {blocking !== undefined && <BlockDialog {...blocking} onClose={() => setBlocking(undefined)} />}
      {question !== undefined && (
        <ConfirmDialog {...question} confirm={question.title} onClose={() => setQuestion(undefined)} />
      )}
    </div>
  );
}
