import { readerCounts } from './reader-counts.rules';

/*
 * Messages 11 to 13 of a group. Ann (1) sent 11 and 13, Ben (2) sent 12 and left. The read position of Cat is 5, that
 * of Dan 12; Eve joined with 13 and has not read it; Flo joined after 13.
 */
const tallies = {
  members: 5,
  readBelow: 1,
  readWithin: [{ seq: 12, count: 2 }],
  joinedAbove: 1,
  joinedWithin: [{ seq: 13, count: 1 }],
  senders: new Map([[1, 1]]),
};

describe('readerCounts', () => {
  it('counts the members at the time of the message, without the sender', () => {
    expect(readerCounts(tallies, 11, 1)).toEqual({ read_count: 1, unread_count: 1 });
    expect(readerCounts(tallies, 13, 1)).toEqual({ read_count: 0, unread_count: 3 });
  });

  it('subtracts nothing for a sender who has left or rejoined later', () => {
    expect(readerCounts(tallies, 12, 2)).toEqual({ read_count: 2, unread_count: 1 });
    const backAgain = { ...tallies, members: 6, joinedAbove: 2, senders: new Map([[2, 14]]) };
    expect(readerCounts(backAgain, 12, 2)).toEqual({ read_count: 2, unread_count: 1 });
  });
});
