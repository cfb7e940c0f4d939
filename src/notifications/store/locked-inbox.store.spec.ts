import { LockedInbox } from './locked-inbox.store';

const row = {
  user_id: 7,
  last_seq: 5,
  broadcast_id: 0,
  newest_broadcast: null,
  type: null,
  unread: null,
  epoch: null,
};
const inboxOf = (...roots: { type: string; unread: number; epoch: number }[]): LockedInbox =>
  new LockedInbox(row, roots);

describe('LockedInbox', () => {
  it('returns the unread counts by type, without zeros', () => {
    const inbox = inboxOf({ type: 'a', unread: 2, epoch: 3 }, { type: 'b', unread: 0, epoch: 1 });
    expect(inbox.unread).toEqual({ unread_count: 2, by_type: { a: 2 } });
    expect([inbox.epochOf('a'), inbox.epochOf('b'), inbox.epochOf('new')]).toEqual([3, 1, 1]);
  });

  it('updates the counts, also of a new type', () => {
    const inbox = inboxOf({ type: 'a', unread: 2, epoch: 3 });
    inbox.countUnread('a', -1);
    inbox.countUnread('b', 1);
    inbox.countUnread('__proto__', 1);
    expect(JSON.stringify(inbox.unread)).toBe('{"unread_count":3,"by_type":{"a":1,"b":1,"__proto__":1}}');
  });

  it('starts a new epoch for one type or for all types with unread notifications', () => {
    const inbox = inboxOf(
      { type: 'a', unread: 2, epoch: 3 },
      { type: 'b', unread: 1, epoch: 1 },
      { type: 'c', unread: 0, epoch: 4 },
    );
    expect(inbox.beginEpoch('c')).toBe(0);
    expect(inbox.beginEpoch('a')).toBe(2);
    expect([inbox.epochOf('a'), inbox.epochOf('b'), inbox.epochOf('c')]).toEqual([4, 1, 4]);
    inbox.countUnread('a', 1);
    expect(inbox.beginEpoch()).toBe(2);
    expect([inbox.epochOf('a'), inbox.epochOf('b'), inbox.epochOf('c')]).toEqual([5, 2, 4]);
    expect(inbox.unread).toEqual({ unread_count: 0, by_type: {} });
  });
});
