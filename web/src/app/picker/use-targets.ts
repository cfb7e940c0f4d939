import { useQuery } from '@tanstack/react-query';
import type { CallboardError, ConversationResponse } from '@callboard/client';
import { callboard } from '../../shared/callboard';
import { useClientConfig } from '../../shared/client-config';
import { includesText } from '../../shared/includes-text';
import { toCallboardError } from '../../shared/session';
import { useDebounced } from '../../shared/use-debounced';
import { useLive } from '../live';
import { findMembers, MAX_KEYWORD } from './find-members';

/** A person, or a chat of the user. */
export interface Target {
  kind: 'person' | 'chat';
  /** User id of a person, id of a chat. */
  id: number;
  name: string;
  avatar: string | null;
  /** Id that selects the colour of the picture: the user's, also for a single chat, or the group's. */
  pictureId: number;
}

/** Source of the choices: people, the user's chats and people, or the members of a group. */
export type TargetSource = 'people' | 'chats' | { membersOf: number };

export interface Targets {
  /** The user's chats that match, as chats or as their peers: first the loaded ones, then those that the service found. */
  known: readonly Target[];
  /** Other people that the service found, or members of a group. */
  found: readonly Target[];
  isSearching: boolean;
  error: CallboardError | undefined;
}

/** Maximum number of chats that are not loaded. */
const MAX_OTHERS = 20;

export const keyOf = ({ kind, id }: Target): string => `${kind}-${id}`;

/** Finds chats, people or members by what the user typed: a name, or a complete account or id. */
export function useTargets(typed: string, source: TargetSource): Targets {
  const text = typed.trim();
  const keyword = useDebounced(text);
  const groupId = typeof source === 'object' ? source.membersOf : undefined;
  const { conversationsState: state } = useLive();
  const hasDirectory = (useClientConfig()?.features.user_directory ?? 'off') !== 'off';
  const isSearchable = groupId === undefined && keyword !== '' && keyword.length <= MAX_KEYWORD;
  const people = useQuery({
    queryKey: ['people', keyword],
    queryFn: ({ signal }) => callboard.people.search({ query: { keyword }, signal }),
    enabled: isSearchable && hasDirectory,
  });
  const others = useQuery({
    queryKey: ['chats', keyword],
    queryFn: ({ signal }) =>
      callboard.conversations.list({ query: { keyword, per_page: MAX_OTHERS }, signal }),
    enabled: isSearchable && state?.hasMore === true,
  });
  const members = useQuery({
    queryKey: ['members', groupId, 'found', keyword],
    queryFn: ({ signal }) => findMembers(groupId ?? 0, keyword, { signal }),
    enabled: groupId !== undefined,
    placeholderData: (before) => before,
  });
  const searches = groupId === undefined ? [people, others] : [members];
  const error = searches.find((search) => search.error !== null)?.error ?? undefined;
  const result = {
    isSearching: searches.some(({ isFetching }) => isFetching) || keyword !== text,
    error: error && toCallboardError(error),
  };
  // Until the service has searched for the new text, it has found for the one before; Enter must not choose these.
  const isSettled = keyword === text && !members.isPlaceholderData;
  const isCurrent = ({ name }: { name: string | null }): boolean =>
    isSettled || includesText(name ?? '', text);
  if (groupId !== undefined) {
    const found = (members.data ?? []).filter(isCurrent);
    return {
      known: [],
      found: found.map(({ user_id: id, name, avatar }) => toPerson({ id, name, avatar })),
      ...result,
    };
  }
  const found = text === '' ? [] : (people.data?.items ?? []).filter(isCurrent);
  const loaded: readonly Chat[] = state?.conversations ?? [];
  const foundChats = text === '' ? [] : (others.data?.items ?? []).filter(isCurrent);
  const isFound = ({ id, peer_id: peerId }: Chat): boolean =>
    found.some((person) => person.id === peerId) || foundChats.some((chat) => chat.id === id);
  const chats = [...loaded, ...foundChats.filter(({ id }) => loaded.every((chat) => chat.id !== id))];
  const matching = chats.filter((chat) => includesText(chat.name, text) || isFound(chat));
  return {
    known: matching.flatMap((chat) => toTarget(chat, source === 'chats')),
    found: found.filter(({ id }) => chats.every(({ peer_id: peerId }) => peerId !== id)).map(toPerson),
    ...result,
  };
}

const toPerson = ({
  id,
  name,
  avatar,
}: {
  id: number;
  name: string | null;
  avatar: string | null;
}): Target => ({
  kind: 'person',
  id,
  name: name ?? `#${id}`,
  avatar,
  pictureId: id,
});

/** A chat of the list, loaded or found. */
type Chat = Pick<ConversationResponse, 'id' | 'peer_id' | 'name' | 'avatar'>;

/** Returns a chat, or its peer where people are wanted: a group has none. */
function toTarget({ id, peer_id: peerId, name, avatar }: Chat, isChat: boolean): Target[] {
  if (isChat) return [{ kind: 'chat', id, name, avatar, pictureId: peerId ?? id }];
  return peerId === null ? [] : [toPerson({ id: peerId, name, avatar })];
}
