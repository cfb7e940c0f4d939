import { numberSends, outcomesOf, unreadAfter } from './send-batch.rules';

const CONVERSATION = 5;
const send = (userId: number, client_msg_id?: string, conversationId = CONVERSATION) => ({
  userId,
  conversationId,
  body: { client_msg_id },
});
const isMember = ({ userId }: { userId: number }): boolean => userId < 10;
const used = (sender_id: number, client_msg_id: string) => ({
  conversation_id: CONVERSATION,
  sender_id,
  client_msg_id,
});

describe('Sends of one transaction', () => {
  it('are new unless the sender is not a member', () => {
    expect(outcomesOf([send(1), send(10), send(1), send(2)], isMember, [])).toEqual([
      'new',
      'rejected',
      'new',
      'new',
    ]);
  });

  it('are repeats when the sender has used the id before or earlier in the batch', () => {
    const before = [used(1, 'a'), used(2, 'b')];
    const sends = [send(1, 'a'), send(2, 'a'), send(2, 'a'), send(1, 'b'), send(1, 'A'), send(2, 'b')];
    expect(outcomesOf(sends, isMember, before)).toEqual([
      'repeated',
      'new',
      'repeated',
      'new',
      'new',
      'repeated',
    ]);
    expect(outcomesOf([send(10, 'a'), send(10, 'a')], isMember, before)).toEqual(['rejected', 'rejected']);
  });

  it('that are refused leave their id unused, and are repeats when it was used before', () => {
    const sends = [send(1, 'a'), send(1, 'a'), send(1, 'b'), send(1)];
    const isAcceptable = (item: object): boolean =>
      item !== sends[0] && item !== sends[2] && item !== sends[3];
    expect(outcomesOf(sends, isMember, [used(1, 'b')], isAcceptable)).toEqual([
      'rejected',
      'new',
      'repeated',
      'rejected',
    ]);
  });

  it('are distinguished by conversation, sender and id', () => {
    const sends = [send(1, '2 x'), send(1, 'x'), send(5, 'x', 1), send(5, 'x', 1), send(5, 'x')];
    expect(outcomesOf(sends, isMember, [used(12, 'x'), used(51, 'x')])).toEqual([
      'new',
      'new',
      'new',
      'repeated',
      'new',
    ]);
  });

  it('are numbered in order, each with the unread range of its sender', () => {
    // Ann (1) has read all 7 messages; Ben (2) has read 3, and one of the others is recalled; Cat (3) has just joined.
    const members = [
      { user_id: 1, read_seq: 7, unread_count: 0 },
      { user_id: 2, read_seq: 3, unread_count: 3 },
      { user_id: 3, read_seq: 7, unread_count: 0 },
    ];
    const numbered = numberSends(7, members, [send(1), send(2), send(1), send(1)]);
    expect(numbered.map(({ seq, read }) => [seq, read])).toEqual([
      [8, { from: 8, to: 7 }],
      [9, { from: 4, to: 8 }],
      [10, { from: 9, to: 9 }],
      [11, { from: 11, to: 10 }],
    ]);
    expect(members.map((member) => unreadAfter(member, [1, 2, 1, 1]))).toEqual([0, 2, 4]);
    expect(members.map((member) => unreadAfter(member, [1, 2]))).toEqual([1, 0, 2]);
  });
});
