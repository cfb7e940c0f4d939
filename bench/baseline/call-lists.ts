import { change, type Connection, type Value } from './database';

const LISTS_OF_A_CALL = 16;
const ROOM = `INSERT INTO call_lists (user_id, peer_id, kind, media_type, total)
  VALUES ${Array.from({ length: LISTS_OF_A_CALL }, () => '(?, ?, ?, ?, 1)').join(', ')}
  ON DUPLICATE KEY UPDATE total = total + 1`;
const LIST_OF_BOTH = '(user_id = ? AND peer_id IN (0, ?) AND kind IN (?, ?) AND media_type IN (?, ?))';
const ENTRIES = `INSERT INTO call_list_entries (user_id, peer_id, kind, media_type, position, call_id)
  SELECT user_id, peer_id, kind, media_type, total, ? FROM call_lists WHERE ${LIST_OF_BOTH} OR ${LIST_OF_BOTH}`;

/** Both users' lists that a new call belongs to are longer by one; returns what puts the call there. */
export async function makeRoom(
  on: Connection,
  callerId: number,
  calleeId: number,
  mediaType: string,
): Promise<(callId: number) => Promise<unknown>> {
  const owners = [
    { user: callerId, peer: calleeId, direction: 'outgoing' },
    { user: calleeId, peer: callerId, direction: 'incoming' },
  ].toSorted((a, b) => a.user - b.user);
  await change(
    on,
    ROOM,
    owners.flatMap(({ user, peer, direction }) =>
      [0, peer].flatMap((list) =>
        ['', direction].flatMap((kind) =>
          ['', mediaType].flatMap((media): Value[] => [user, list, kind, media]),
        ),
      ),
    ),
  );
  const wanted = owners.flatMap(({ user, peer, direction }) => [user, peer, '', direction, '', mediaType]);
  return (callId) => change(on, ENTRIES, [callId, ...wanted]);
}
