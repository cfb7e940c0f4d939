import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  property,
  record,
  uniqueArray,
} from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { byBlock, InboxBlock } from './inbox-block.rules';
import { InboxMap, type ListFilter, newTypeCounts, type TypeCounts } from './inbox-map.rules';

interface Item {
  seq: number;
  type: string;
  isUnread: boolean;
  isArchived?: boolean;
}

const TYPES = ['a', 'b', 'c'];
const EVERYTHING = { skip: 0, take: 1_000 };

/** Returns the content of an inbox at a version, with all blocks. */
function contentOf(items: readonly Item[], version = 1) {
  const types = new Map<string, TypeCounts>();
  const blocks = Array.from(byBlock(items), ([start, ofBlock]) =>
    InboxBlock.empty(start).change(
      ofBlock.map(({ seq, type, isUnread, isArchived }) => {
        const counts = types.get(type) ?? newTypeCounts(type, types.values());
        types.set(type, counts);
        counts.total += 1;
        counts.unread += Number(isUnread && isArchived !== true);
        counts.archived += Number(isArchived === true);
        counts.archived_unread += Number(isUnread && isArchived === true);
        return { seq, code: counts.code, isUnread, isArchived };
      }),
      version,
      new Map(),
    ),
  );
  return { version, types, blocks };
}

const matching = (items: readonly Item[], { type, is_read, archived }: ListFilter) =>
  items
    .filter((item) => type === undefined || item.type === type)
    .filter((item) => is_read === undefined || item.isUnread === (is_read === 0))
    .filter((item) => (item.isArchived === true) === (archived === 1))
    .toSorted((a, b) => b.seq - a.seq)
    .map(({ seq, isUnread }) => ({ seq, isUnread }));

describe('InboxMap', () => {
  const first: Item = { seq: 5, type: 'a', isUnread: true };
  const second: Item = { seq: 1_030, type: 'b', isUnread: true };
  const third: Item = { seq: 1_031, type: 'a', isUnread: false };

  it('finds exactly the elements of any window of any list', () => {
    const inbox = uniqueArray(
      record({
        seq: integer({ min: 1, max: 6_000 }),
        type: constantFrom(...TYPES),
        isUnread: boolean(),
        isArchived: boolean(),
      }),
      { selector: ({ seq }) => seq, maxLength: 200 },
    );
    const filters = record({
      type: option(constantFrom(...TYPES, 'unknown'), { nil: undefined }),
      is_read: option(constantFrom(0, 1), { nil: undefined }),
      archived: option(constantFrom(0, 1), { nil: undefined }),
    });
    const readTypes = array(constantFrom(...TYPES), { maxLength: 2 });
    assert(
      property(
        inbox,
        filters,
        nat(220),
        integer({ min: 1, max: 100 }),
        readTypes,
        (items, filter, skip, take, read) => {
          const content = contentOf(items);
          for (const type of read) {
            const counts = content.types.get(type);
            if (counts !== undefined) counts.epoch = 1;
          }
          const current = items.map((item) => ({
            ...item,
            isUnread: item.isUnread && !read.includes(item.type),
          }));
          expect(new InboxMap(content).positions(filter, { skip, take })).toEqual(
            matching(current, filter).slice(skip, skip + take),
          );
        },
      ),
      propertyRuns(),
    );
  });

  it('replaces the blocks that were written since', () => {
    const map = new InboxMap(contentOf([first, second]));
    const { types, blocks } = contentOf([first, second, third], 2);
    const written = blocks.filter(({ start }) => start === 1_024);
    const advanced = map.advance({ version: 2, types, blocks: written });
    expect(advanced?.version).toBe(2);
    expect(advanced?.positions({}, EVERYTHING)).toEqual([
      { seq: 1_031, isUnread: false },
      { seq: 1_030, isUnread: true },
      { seq: 5, isUnread: true },
    ]);
  });

  it('cannot advance when a block was deleted since', () => {
    const map = new InboxMap(contentOf([first, second]));
    const { types } = contentOf([second], 2);
    expect(map.advance({ version: 2, types, blocks: [] })).toBeUndefined();
  });

  it('cannot advance to an older version', () => {
    const content = contentOf([first]);
    expect(new InboxMap({ ...content, version: 3 }).advance({ ...content, version: 2 })).toBeUndefined();
  });

  it('grows with its blocks', () => {
    const small = new InboxMap(contentOf([first])).bytes;
    expect(new InboxMap(contentOf([first, second])).bytes).toBeGreaterThan(small + 8);
  });

  it('gives a new type the lowest free code', () => {
    expect(newTypeCounts('x', [{ code: 1 }, { code: 3 }])).toEqual({
      type: 'x',
      code: 2,
      total: 0,
      unread: 0,
      archived: 0,
      archived_unread: 0,
      epoch: 0,
    });
  });
});
