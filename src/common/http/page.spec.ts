import { fromNearerEnd, GroupsPage, ItemsPage, ListPage, offsetOf } from './page';

const second = { page: 2, per_page: 15 };

describe('Pages', () => {
  it('have the third shape of API 1.6 for conversations and new lists', () => {
    expect(JSON.parse(JSON.stringify(new ItemsPage(['a'], 31, second)))).toEqual({
      items: ['a'],
      pagination: { total: 31, per_page: 15, current_page: 2, last_page: 3, has_more: true },
    });
  });

  it('have the first shape for device groups', () => {
    expect(JSON.parse(JSON.stringify(new GroupsPage(['a'], 31, second)))).toEqual({
      items: ['a'],
      pagination: { current_page: 2, per_page: 15, total: 31, total_pages: 3 },
    });
  });

  it('have the second shape for notifications', () => {
    expect(JSON.parse(JSON.stringify(new ListPage(['a'], 31, second)))).toEqual({
      list: ['a'],
      total: 31,
      per_page: 15,
      current_page: 2,
      last_page: 3,
    });
  });

  it.each([
    [0, 1],
    [15, 1],
    [16, 2],
    [30, 2],
  ])('count %i rows as %i page(s)', (total, pages) => {
    expect(new ListPage([], total, second).last_page).toBe(pages);
  });

  it('state whether more rows follow', () => {
    expect(new ItemsPage([], 30, second).pagination.has_more).toBe(false);
    expect(new ItemsPage([], 31, second).pagination.has_more).toBe(true);
    expect(new ItemsPage([], 5, { page: 9, per_page: 15 }).pagination.has_more).toBe(false);
  });

  it('start at the offset of their number', () => {
    expect([offsetOf({ page: 1, per_page: 15 }), offsetOf(second)]).toEqual([0, 15]);
  });

  it('are read from the nearer end of a list', () => {
    expect(fromNearerEnd({ offset: 0, limit: 20 }, 100)).toEqual({ offset: 0, limit: 20, backwards: false });
    expect(fromNearerEnd({ offset: 40, limit: 20 }, 100)).toEqual({
      offset: 40,
      limit: 20,
      backwards: false,
    });
    expect(fromNearerEnd({ offset: 60, limit: 20 }, 100)).toEqual({ offset: 20, limit: 20, backwards: true });
    expect(fromNearerEnd({ offset: 90, limit: 20 }, 100)).toEqual({ offset: 0, limit: 10, backwards: true });
    expect(fromNearerEnd({ offset: 90, limit: 20 }, 0)).toMatchObject({ limit: 0 });
    expect(fromNearerEnd({ offset: 0, limit: 20 }, 0)).toEqual({ offset: 0, limit: 0, backwards: false });
    expect(fromNearerEnd({ offset: 500, limit: 20 }, 100)).toMatchObject({ limit: 0 });
  });
});
