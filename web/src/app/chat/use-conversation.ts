import { useQuery } from '@tanstack/react-query';
import { CallboardError, type ConversationResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { toCallboardError } from '../../shared/session';
import { useLive } from '../live';
import { useLiveError } from '../live-store';

/** How soon it is asked for again after what may pass. */
const AGAIN_MS = 5_000;

/** A conversation, of the list where it is in that; hidden and old ones are asked for. */
export function useConversation(id: number): {
  conversation: ConversationResponse | undefined;
  problem: CallboardError | undefined;
  /** Asks for it again. */
  reload: () => void;
} {
  const { conversations, conversationsState } = useLive();
  const isListKnown = conversationsState !== undefined;
  const isListFailed = useLiveError(conversations) !== undefined;
  const listed = conversationsState?.conversations.find((one) => one.id === id);
  const { data, error, refetch } = useQuery({
    queryKey: ['conversation', id],
    queryFn: ({ signal }) => callboard.conversations.get({ path: { id }, signal }),
    enabled: listed === undefined && (isListKnown || isListFailed),
    gcTime: 0,
    // There is no list of which it could be told that it is there again.
    refetchInterval: ({ state }) =>
      state.error instanceof CallboardError && state.error.isTransient && AGAIN_MS,
  });
  const reload = (): void => void refetch();
  if (listed !== undefined) return { conversation: listed, problem: undefined, reload };
  return {
    conversation: data,
    problem: error === null ? undefined : toCallboardError(error),
    reload,
  };
}
