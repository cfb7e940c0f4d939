import {
  type KeysetPage,
  keysetPage,
  type ListName,
  momentPage,
  type MomentPosition,
  readCursor,
  readMomentCursor,
} from './keyset';

describe('keysetPage', () => {
  const ids = [9, 8, 7, 5, 2];
  const LIST: ListName = ['ids', 'odd', undefined];
  const page = (cursor: string | undefined, limit: number, list = LIST): KeysetPage<number> => {
    const before = readCursor(list, cursor) ?? Infinity;
    const found = ids.filter((id) => id < before).slice(0, limit + 1);
    return keysetPage(list, { found: found.map((id) => ({ id })), limit }, ({ id }) => id);
  };
  const problemOf = (cursor: string, list = LIST): string | undefined => {
    try {
      page(cursor, 2, list);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('returns a list page by page', () => {
    const first = page(undefined, 2);
    expect(first).toEqual({ items: [9, 8], next_cursor: expect.stringMatching(/^[\w-]+$/) });
    const second = page(first.next_cursor ?? '', 2);
    expect(second.items).toEqual([7, 5]);
    expect(page(second.next_cursor ?? '', 2)).toEqual({ items: [2], next_cursor: null });
  });

  it('returns no cursor with an exactly full last page', () => {
    expect(page(undefined, 5)).toEqual({ items: ids, next_cursor: null });
  });

  it('accepts only cursors of the same list', () => {
    const { next_cursor: cursor } = page(undefined, 2);
    expect(problemOf(cursor ?? '')).toBeUndefined();
    expect(problemOf(cursor ?? '', ['ids', 'even', undefined])).toBe('cursor 取值无效');
    expect(problemOf(cursor ?? '', ['others', 'odd', undefined])).toBe('cursor 取值无效');
    for (const malformed of ['', '7', 'x', '！', Buffer.from('7.').toString('base64url'), `${cursor}AAAA`])
      expect(problemOf(malformed)).toBe('cursor 取值无效');
  });
});

describe('momentPage', () => {
  const row = (time: string, id: number): MomentPosition => ({ at: new Date(`2026-01-31T${time}Z`), id });
  const rows = [
    row('08:00:00.002', 3),
    row('08:00:00.001', 5),
    row('08:00:00.001', 4),
    row('07:00:00.000', 9),
  ];
  const LIST: ListName = ['acts'];
  const page = (cursor: string | undefined, limit: number): KeysetPage<number> => {
    const end = readMomentCursor(LIST, cursor);
    const found = rows.filter(({ at, id }) => !end || at < end.at || (+at === +end.at && id < end.id));
    return momentPage(
      LIST,
      { found: found.slice(0, limit + 1), limit },
      (each) => each,
      ({ id }) => id,
    );
  };

  it('continues within a time and below it', () => {
    const first = page(undefined, 2);
    expect(first.items).toEqual([3, 5]);
    const second = page(first.next_cursor ?? '', 1);
    expect(second.items).toEqual([4]);
    expect(page(second.next_cursor ?? '', 2)).toEqual({ items: [9], next_cursor: null });
  });

  it('accepts only cursors of the same list, and none of a list by id', () => {
    const { next_cursor: byId } = keysetPage(
      LIST,
      { found: [{ id: 2 }, { id: 1 }], limit: 1 },
      ({ id }) => id,
    );
    const { next_cursor: byTime } = page(undefined, 1);
    for (const malformed of ['', '！', byId ?? '', `${byTime}AAAA`])
      expect(() => readMomentCursor(LIST, malformed)).toThrow('cursor 取值无效');
    expect(() => readMomentCursor(['others'], byTime ?? '')).toThrow('cursor 取值无效');
    expect(() => readCursor(LIST, byTime ?? '')).toThrow('cursor 取值无效');
  });
});
