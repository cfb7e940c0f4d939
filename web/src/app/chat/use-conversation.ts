import { useQuery } from '@tanstack/react-query';
import { CallboardError, type ConversationResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { queryClient } from '../../shared/query-client';
import { toCallboardError } from '../../shared/session';
import { changedConversationId } from '../conversations/changed-conversation';
import { useLive } from '../live';
import { useLiveError } from '../live-store';
import { useEvents } from '../use-events';

/** Interval between retries after a transient error. */
const RETRY_MS = 5_000;

/** Returns a conversation from the live list; one that is not in the list (hidden or old) is fetched. */
export function useConversation(id: number): {
  conversation: ConversationResponse | undefined;
  problem: CallboardError | undefined;
  /** Fetches the conversation again. */
  reload: () => void;
} {
  const { conversations, conversationsState } = useLive();
  const isListKnown = conversationsState !== undefined;
  const isListFailed = useLiveError(conversations) !== undefined;
  const listed = conversationsState?.conversations.find((conversation) => conversation.id === id);
  const { data, error, refetch } = useQuery({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => callboard.conversations.get({ path: { id }, signal }),
    enabled: listed === undefined && (isListKnown || isListFailed),
    gcTime: 0,
    // The conversation is not in the live list, so no event reports that it can be loaded again.
    refetchInterval: ({ state }) =>
      state.error instanceof CallboardError && state.error.isTransient && RETRY_MS,
  });
  // Does nothing while the conversation is in the live list.
  useEvents((event) => {
    if (changedConversationId(event) === id)
      void queryClient.invalidateQueries({ queryKey: ['conversation', id] });
  });
  const reload = (): void => void refetch();
  if (listed !== undefined) return { conversation: listed, problem: undefined, reload };
  return {
    conversation: data,
    problem: error === null ? undefined : toCallboardError(error),
    reload,
  };
}
