import { rearranged, type Sibling } from './siblings.rules';

const sibling = (id: number, sort_order: number): Sibling => ({ id, sort_order });
const CHILDREN = [sibling(1, 10), sibling(2, 20), sibling(3, 30), sibling(4, 40)];

describe('rearranged', () => {
  it.each([
    ['before the first', [3], { before_id: 1 }, [sibling(3, 10), sibling(1, 20), sibling(2, 30)]],
    ['before another', [4], { before_id: 2 }, [sibling(4, 20), sibling(2, 30), sibling(3, 40)]],
    ['after another', [1], { after_id: 3 }, [sibling(2, 10), sibling(3, 20), sibling(1, 30)]],
    [
      'after the last',
      [1],
      { after_id: 4 },
      [sibling(2, 10), sibling(3, 20), sibling(4, 30), sibling(1, 40)],
    ],
    ['to the end without a neighbour', [2], {}, [sibling(3, 20), sibling(4, 30), sibling(2, 40)]],
    ['to their current position', [2], { after_id: 1 }, []],
    ['in the given order', [4, 2], { before_id: 1 }, [sibling(4, 10), sibling(1, 30), sibling(3, 40)]],
  ])('moves groups %s', (_, moving, neighbour, expected) => {
    expect(rearranged(CHILDREN, moving, neighbour)).toEqual(expected);
  });

  it.each([
    ['itself', { before_id: 2 }],
    ['itself', { after_id: 2 }],
    ['a group that is not a sibling', { before_id: 5 }],
    ['a group that is not a sibling', { after_id: 5 }],
  ])('returns undefined for a move beside %s', (_, neighbour) => {
    expect(rearranged(CHILDREN, [2], neighbour)).toBeUndefined();
  });

  it('numbers all siblings in steps of 10', () => {
    const children = [sibling(1, -5), sibling(2, 0), sibling(3, 0), sibling(4, 7)];
    expect(rearranged(children, [4], { after_id: 2 })).toEqual([
      sibling(1, 10),
      sibling(2, 20),
      sibling(4, 30),
      sibling(3, 40),
    ]);
  });

  it('numbers a single group', () => {
    expect(rearranged([sibling(1, 0)], [1], {})).toEqual([sibling(1, 10)]);
  });
});
