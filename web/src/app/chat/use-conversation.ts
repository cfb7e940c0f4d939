import { useQuery } from '@tanstack/react-query';
import type { CallboardError, ConversationResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { toCallboardError } from '../../shared/session';
import { useLive } from '../live';

/** A conversation, of the list where it is in that; hidden and old ones are asked for. */
export function useConversation(id: number): {
  conversation: ConversationResponse | undefined;
  problem: CallboardError | undefined;
} {
  const { conversationsState } = useLive();
  const listed = conversationsState?.conversations.find((one) => one.id === id);
  const { data, error } = useQuery({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => callboard.conversations.get({ path: { id }, signal }),
    enabled: conversationsState !== undefined && listed === undefined,
    gcTime: 0,
  });
  if (listed !== undefined) return { conversation: listed, problem: undefined };
  return {
    conversation: data,
    problem: error === null ? undefined : toCallboardError(error),
  };
}
