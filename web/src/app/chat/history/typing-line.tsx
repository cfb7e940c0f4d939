import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { MessagesState } from '@callboard/client';
import { callboard } from '../../../shared/callboard';
import { useOpenChat } from '../chat-context';
import { useTyping } from './use-typing';

/** Maximum number of members that are named. */
const MAX_NAMED = 3;

/** Line that names the members who are typing. */
export function TypingLine({ state }: { state: MessagesState }) {
  const { t } = useTranslation('client');
  const { conversation } = useOpenChat();
  const typing = useTyping(conversation.id).slice(0, MAX_NAMED);
  const profiles = useQueries({
    queries: typing.map((id) => ({
      queryKey: ['profile', id],
      queryFn: () => callboard.people.getProfile({ path: { id } }),
      enabled: conversation.is_group && nameIn(state, id) === undefined,
      staleTime: Infinity,
    })),
  });
  const names = typing.flatMap(
    (id, index) =>
      (conversation.is_group ? (nameIn(state, id) ?? profiles[index]?.data?.name) : conversation.name) ?? [],
  );
  return (
    <p className="typing-line" aria-live="polite">
      {names.length > 0 && t('chat.typing', { count: names.length, names: names.join(t('chat.and')) })}
    </p>
  );
}

const nameIn = ({ messages }: MessagesState, userId: number): string | undefined =>
  messages.find(({ sender_id }) => sender_id === userId)?.sender_name ?? undefined;
