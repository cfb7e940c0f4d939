import { LockedInbox, type PositionChange } from './locked-inbox.store';

const row = {
  user_id: 7,
  version: 9,
  last_seq: 5,
  broadcast_id: 0,
  newest_broadcast: null,
  filters_types: 0,
};
const counts = (type: string, code: number, total: number, unread: number, epoch = 0) => ({
  type,
  code,
  total,
  unread,
  archived: 0,
  archived_unread: 0,
  epoch,
});

describe('LockedInbox', () => {
  it('returns the unread counts by type, without zeros', () => {
    const inbox = new LockedInbox(row, [counts('a', 1, 3, 2), counts('b', 2, 1, 0)]);
    expect(inbox.unread).toEqual({ unread_count: 2, by_type: { a: 2 } });
  });

  it('counts each change of a position once', () => {
    const inbox = new LockedInbox(row, []);
    inbox.change([
      { seq: 6, type: 'a', to: 'unread' },
      { seq: 7, type: '__proto__', to: 'unread' },
    ]);
    expect(JSON.stringify(inbox.unread)).toBe('{"unread_count":2,"by_type":{"a":1,"__proto__":1}}');
    inbox.change([{ seq: 6, type: 'a', to: 'read' }]);
    inbox.change([{ seq: 6, type: 'a', to: 'read' }]);
    expect(inbox.types.get('a')).toEqual(counts('a', 1, 1, 0));
    expect(inbox.isUnread({ seq: 6, type: 'a' })).toBe(false);
    inbox.change([{ seq: 6, type: 'a', to: 'unread' }]);
    expect(inbox.types.get('a')).toEqual(counts('a', 1, 1, 1));
  });

  it('counts an archived notification apart, and once', () => {
    const inbox = new LockedInbox(row, []);
    const change = (to: PositionChange['to']) => {
      inbox.change([{ seq: 6, type: 'a', to }]);
      const { total, unread, archived, archived_unread } = inbox.types.get('a') ?? counts('a', 1, 0, 0);
      return [total, unread, archived, archived_unread];
    };
    expect(change('unread')).toEqual([1, 1, 0, 0]);
    expect(change('archived')).toEqual([1, 0, 1, 1]);
    expect(change('archived')).toEqual([1, 0, 1, 1]);
    expect(inbox.unread).toEqual({ unread_count: 0, by_type: {} });
    expect(change('restored')).toEqual([1, 1, 0, 0]);
    expect(change('read')).toEqual([1, 0, 0, 0]);
    expect(change('archived')).toEqual([1, 0, 1, 0]);
    expect(change('unread')).toEqual([1, 0, 1, 1]);
    expect(change('read')).toEqual([1, 0, 1, 0]);
    expect(change('returned')).toEqual([1, 1, 0, 0]);
    expect(change('archived')).toEqual([1, 0, 1, 1]);
    expect(change('deleted')).toEqual([0, 0, 0, 0]);
  });

  it('marks archived notifications read with all others', () => {
    const inbox = new LockedInbox(row, []);
    inbox.change([
      { seq: 6, type: 'a', to: 'unread' },
      { seq: 7, type: 'a', to: 'unread' },
    ]);
    inbox.change([{ seq: 7, type: 'a', to: 'archived' }]);
    expect(inbox.markAllRead().affected).toBe(2);
    expect(inbox.types.get('a')).toEqual({ ...counts('a', 1, 2, 0, 9), archived: 1 });
    inbox.change([{ seq: 7, type: 'a', to: 'restored' }]);
    expect(inbox.unread).toEqual({ unread_count: 0, by_type: {} });
  });

  it('returns the changed blocks and counts', () => {
    const inbox = new LockedInbox(row, [counts('a', 1, 3, 0)]);
    const { blocks, types } = inbox.change([
      { seq: 1_023, type: 'b', to: 'unread' },
      { seq: 1_024, type: 'b', to: 'unread' },
    ]);
    expect(blocks.map(({ start, version }) => ({ start, version }))).toEqual([
      { start: 0, version: 9 },
      { start: 1_024, version: 9 },
    ]);
    expect(types).toEqual([counts('b', 2, 2, 2)]);
  });

  it('forgets a type without notifications, and assigns its code again', () => {
    const inbox = new LockedInbox(row, []);
    inbox.change([{ seq: 6, type: 'a', to: 'unread' }]);
    expect(inbox.change([{ seq: 6, type: 'a', to: 'deleted' }]).types).toEqual([counts('a', 1, 0, 0)]);
    expect(inbox.types.size).toBe(0);
    expect(inbox.change([{ seq: 7, type: 'b', to: 'unread' }]).types).toEqual([counts('b', 1, 1, 1)]);
  });

  it('marks one type or all types with unread notifications read', () => {
    const inbox = new LockedInbox(row, [
      counts('a', 1, 3, 2, 3),
      counts('b', 2, 1, 1),
      counts('c', 3, 1, 0, 4),
    ]);
    expect(inbox.markAllRead('c')).toEqual({ affected: 0, types: [] });
    expect(inbox.markAllRead('a')).toEqual({ affected: 2, types: [counts('a', 1, 3, 0, 9)] });
    expect(inbox.markAllRead()).toEqual({ affected: 1, types: [counts('b', 2, 1, 0, 9)] });
    expect(inbox.unread).toEqual({ unread_count: 0, by_type: {} });
  });

  it('keeps notifications unread that arrive after a mark-all of an earlier version', () => {
    const inbox = new LockedInbox(row, [counts('a', 1, 0, 0, 8)]);
    inbox.change([{ seq: 6, type: 'a', to: 'unread' }]);
    expect(inbox.isUnread({ seq: 6, type: 'a' })).toBe(true);
  });
});
