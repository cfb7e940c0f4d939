import { useTranslation } from 'react-i18next';
import { Link, useSearch } from 'wouter';
import type { AdminConversationResponse } from '@callboard/client';
import { useFormat } from '../format';
import type { ListColumn } from '../parts/tables/list-column';

/** Columns of the conversation list, in display order. */
export function useConversationColumns(): ListColumn<AdminConversationResponse>[] {
  const { t } = useTranslation('panel');
  const format = useFormat();
  return [
    {
      key: 'name',
      title: t('conversations.name'),
      render: (conversation) => <NameCell conversation={conversation} />,
    },
    { key: 'id', title: t('conversations.id'), isOptional: true, render: ({ id }) => id },
    {
      key: 'type',
      title: t('conversations.type'),
      render: ({ type }) => t(`conversations.types.${type}`),
    },
    {
      key: 'member_count',
      title: t('conversations.members'),
      align: 'end',
      render: ({ member_count }) => format.number(member_count),
    },
    {
      key: 'message_count',
      title: t('conversations.messages'),
      align: 'end',
      render: ({ message_count }) => format.number(message_count),
    },
    {
      key: 'last_message_at',
      title: t('conversations.lastMessage'),
      render: ({ last_message_at }) => format.dateTime(last_message_at),
    },
    {
      key: 'created_at',
      title: t('conversations.created'),
      render: ({ created_at }) => format.dateTime(created_at),
    },
  ];
}

/** Links to the drawer of the conversation; also works in a new tab. */
function NameCell({ conversation }: { conversation: AdminConversationResponse }) {
  const name = useConversationName(conversation);
  const params = new URLSearchParams(useSearch());
  params.set('conversation', String(conversation.id));
  return <Link href={`/conversations?${params.toString()}`}>{name}</Link>;
}

/** Returns the name of a group, or the names of the users of a single chat. */
export function useConversationName({ id, name, people }: AdminConversationResponse): string {
  const { t } = useTranslation('panel');
  const names = people.map((person) => person.name ?? t('parts.unnamedUser', { id: person.user_id }));
  return name ?? (names.join(' – ') || t('conversations.unnamed', { id }));
}
