import { times, type Transaction } from './database';

interface Listed {
  caller_id: number;
  callee_id: number;
  media_type: string;
}

/** User, peer (0: any), direction and media type ('': any) of a list. */
type List = [user: number, peer: number, kind: string, media: string];

const listsOf = (user: number, peer: number, direction: string, media: string): List[] =>
  [0, peer].flatMap((other) =>
    ['', direction].flatMap((kind): List[] => [
      [user, other, kind, ''],
      [user, other, kind, media],
    ]),
  );

/**
 * Adds a call to the end of the sixteen lists of its participants, lower user first. Returns a function that sends the
 * entries, which contain the call's id.
 */
export function changeCallLists(
  tx: Transaction,
  { caller_id, callee_id, media_type }: Listed,
): (id: number) => void {
  const lists = [
    ...listsOf(caller_id, callee_id, 'outgoing', media_type),
    ...listsOf(callee_id, caller_id, 'incoming', media_type),
  ].toSorted(([a], [b]) => a - b);
  void tx.change(
    `INSERT INTO call_lists (user_id, peer_id, kind, media_type, total) VALUES ${times(lists.length, '(?, ?, ?, ?, 1)')}
     ON DUPLICATE KEY UPDATE total = total + 1`,
    lists.flat(),
  );
  const isList = '(user_id = ? AND peer_id = ? AND kind = ? AND media_type = ?)';
  return (id) =>
    void tx.change(
      `INSERT INTO call_list_entries (user_id, peer_id, kind, media_type, position, call_id)
       SELECT user_id, peer_id, kind, media_type, total, ? FROM call_lists WHERE ${lists.map(() => isList).join(' OR ')}`,
      [id, ...lists.flat()],
    );
}
