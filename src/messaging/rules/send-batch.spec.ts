import { outcomesOf, numberSends } from './send-batch';

const send = (userId: number, client_msg_id?: string) => ({ userId, body: { client_msg_id } });
const isMember = (userId: number): boolean => userId < 10;

describe('Sends that share a transaction', () => {
  it('are new, unless their senders are no members', () => {
    expect(outcomesOf([send(1), send(10), send(1), send(2)], isMember, [])).toEqual([
      'new',
      'refused',
      'new',
      'new',
    ]);
  });

  it('are repeats when their sender has used the id before, or earlier among them', () => {
    const used = [
      { sender_id: 1, client_msg_id: 'a' },
      { sender_id: 2, client_msg_id: 'b' },
    ];
    const sends = [send(1, 'a'), send(2, 'a'), send(2, 'a'), send(1, 'b'), send(1, 'A'), send(2, 'b')];
    expect(outcomesOf(sends, isMember, used)).toEqual([
      'repeated',
      'new',
      'repeated',
      'new',
      'new',
      'repeated',
    ]);
    expect(outcomesOf([send(10, 'a'), send(10, 'a')], isMember, used)).toEqual(['refused', 'refused']);
  });

  it('do not mix up a sender and an id', () => {
    expect(
      outcomesOf([send(1, '2 x'), send(1, 'x')], isMember, [{ sender_id: 12, client_msg_id: 'x' }]),
    ).toEqual(['new', 'new']);
  });

  it('are numbered in order, each with what it leaves unread', () => {
    // Ann (1) has read all 7 messages, Ben (2) but 3 of them, one of the rest recalled; Cat (3) has just joined.
    const members = [
      { user_id: 1, read_seq: 7, unread_count: 0 },
      { user_id: 2, read_seq: 3, unread_count: 3 },
      { user_id: 3, read_seq: 7, unread_count: 0 },
    ];
    const numbered = numberSends(7, members, [send(1), send(2), send(1), send(1)]);
    expect(
      numbered.map(({ seq, read, members: left }) => [seq, read, left.map((m) => m.unread_count)]),
    ).toEqual([
      [8, { from: 8, to: 7 }, [0, 4, 1]],
      [9, { from: 4, to: 8 }, [1, 0, 2]],
      [10, { from: 9, to: 9 }, [0, 1, 3]],
      [11, { from: 11, to: 10 }, [0, 2, 4]],
    ]);
  });
});
