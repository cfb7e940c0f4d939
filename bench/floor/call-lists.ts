import type { Transaction } from './database';

interface Listed {
  caller_id: number;
  callee_id: number;
  media_type: string;
}

/** The counts of a user (`a`) and of that user's calls with a peer (`p`). */
const COUNTS = `FROM call_counts a JOIN call_counts p ON p.user_id = a.user_id AND p.peer_id = ?
  WHERE a.user_id = ? AND a.peer_id = 0`;

/** A SELECT of a call with its position in eight lists, as the last one of each. */
function lastPositions(direction: string, media: string): string {
  const positions = ['a', 'p'].flatMap((row) => [
    `${row}.incoming_audio + ${row}.incoming_video + ${row}.outgoing_audio + ${row}.outgoing_video`,
    `${row}.incoming_${media} + ${row}.outgoing_${media}`,
    `${row}.${direction}_audio + ${row}.${direction}_video`,
    `${row}.${direction}_${media}`,
  ]);
  return `SELECT a.user_id, ?, p.peer_id, '${direction}', '${media}', ${positions.join(', ')} ${COUNTS}`;
}

/**
 * Counts a call of both participants, lower user first. Returns a function that sends the positions, which contain the
 * call's id.
 */
export function changeCallLists(
  tx: Transaction,
  { caller_id, callee_id, media_type }: Listed,
): (id: number) => void {
  const media = media_type === 'video' ? 'video' : 'audio';
  const counts = [
    [caller_id, 0, 1, 0],
    [caller_id, callee_id, 1, 0],
    [callee_id, 0, 0, 1],
    [callee_id, caller_id, 0, 1],
  ].toSorted(([a = 0], [b = 0]) => a - b);
  void tx.change(
    `INSERT INTO call_counts (user_id, peer_id, outgoing_${media}, incoming_${media})
     VALUES (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?), (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE outgoing_${media} = outgoing_${media} + VALUES(outgoing_${media}),
       incoming_${media} = incoming_${media} + VALUES(incoming_${media})`,
    counts.flat(),
  );
  return (id) =>
    void tx.change(
      `INSERT INTO call_positions (user_id, call_id, peer_id, direction, media_type, position, media_position,
         direction_position, direction_media_position, peer_position, peer_media_position, peer_direction_position,
         peer_direction_media_position)
       ${lastPositions('outgoing', media)} UNION ALL ${lastPositions('incoming', media)}`,
      [id, callee_id, caller_id, id, caller_id, callee_id],
    );
}
