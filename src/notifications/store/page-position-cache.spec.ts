import { PagePositionCache } from './page-position-cache';

describe('PagePositionCache', () => {
  const positions = new PagePositionCache();
  beforeEach(() =>
    positions.keep('list', {
      version: 7,
      before: 100,
      counted: [
        { block: 9, count: 20 },
        { block: 8, count: 0 },
        { block: 5, count: 30 },
      ],
    }),
  );

  it.each([
    [
      { skip: 100, take: 20 },
      { blocks: [9], window: { skip: 0, take: 20 } },
    ],
    [
      { skip: 115, take: 10 },
      { blocks: [9, 5], window: { skip: 15, take: 10 } },
    ],
    [
      { skip: 125, take: 25 },
      { blocks: [5], window: { skip: 5, take: 25 } },
    ],
  ])('finds %j in the cached blocks', (window, place) => {
    expect(positions.find('list', 7, window)).toEqual(place);
  });

  it.each([
    ['before those blocks', 'list', 7, { skip: 99, take: 2 }],
    ['beyond them', 'list', 7, { skip: 145, take: 6 }],
    ['in another version of the inbox', 'list', 8, { skip: 100, take: 20 }],
    ['in another list', 'other', 7, { skip: 100, take: 20 }],
  ])('returns undefined for a window %s', (_where, list, version, window) => {
    expect(positions.find(list, version, window)).toBeUndefined();
  });
});
