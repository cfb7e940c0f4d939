import { type KeysetPage, keysetPage, type ListName, readCursor } from './keyset';

describe('A long list', () => {
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

  it('is read page by page', () => {
    const first = page(undefined, 2);
    expect(first).toEqual({ items: [9, 8], next_cursor: expect.stringMatching(/^[\w-]+$/) });
    const second = page(first.next_cursor ?? '', 2);
    expect(second.items).toEqual([7, 5]);
    expect(page(second.next_cursor ?? '', 2)).toEqual({ items: [2], next_cursor: null });
  });

  it('ends with a page that is just full', () => {
    expect(page(undefined, 5)).toEqual({ items: ids, next_cursor: null });
  });

  it('takes its own cursors alone', () => {
    const { next_cursor: cursor } = page(undefined, 2);
    expect(problemOf(cursor ?? '')).toBeUndefined();
    expect(problemOf(cursor ?? '', ['ids', 'even', undefined])).toBe('cursor 取值无效');
    expect(problemOf(cursor ?? '', ['others', 'odd', undefined])).toBe('cursor 取值无效');
    for (const malformed of ['', '7', 'x', '！', Buffer.from('7.').toString('base64url'), `${cursor}AAAA`])
      expect(problemOf(malformed)).toBe('cursor 取值无效');
  });
});
