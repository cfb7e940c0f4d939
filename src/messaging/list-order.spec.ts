import * as fc from 'fast-check';
import { byListOrder, fromNearerEnd, type ListKey, mergePage, pushedSlice } from './list-order';

const key = fc.record({
  pinned: fc.boolean(),
  sort_at: fc.nat({ max: 5 }).map((seconds) => new Date(seconds * 1000)),
  isPulled: fc.boolean(),
});

describe('The order of conversations', () => {
  it('is the same when its pages are merged from two sources', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (keys, per_page) => {
        const all = keys
          .map((each, index) => ({ ...each, conversation_id: index + 1 }))
          .toSorted(byListOrder);
        const pushed = all.filter(({ isPulled }) => !isPulled);
        const pulled = all.filter(({ isPulled }) => isPulled).toReversed();
        for (let page = 1; page <= all.length / per_page + 2; page += 1) {
          const request = { page, per_page };
          const { offset, limit, backwards } = fromNearerEnd(
            pushedSlice(request, pulled.length),
            pushed.length,
          );
          const source = backwards ? pushed.toReversed() : pushed;
          const slice: ListKey[] = source.slice(offset, offset + limit);
          expect(mergePage<ListKey>(request, slice, pulled)).toEqual(
            all.slice((page - 1) * per_page, page * per_page),
          );
        }
      }),
    );
  });

  it('has a conversation once that was pushed when the one source was read, and pulled when the other was', () => {
    const grown = { conversation_id: 7, pinned: false, sort_at: new Date(3_000) };
    const other = { conversation_id: 8, pinned: false, sort_at: new Date(2_000) };
    const later = { ...grown, sort_at: new Date(4_000) };
    expect(mergePage({ page: 1, per_page: 20 }, [grown, other], [later])).toEqual([later, other]);
  });

  it('is walked from the nearer end', () => {
    expect(fromNearerEnd({ offset: 0, limit: 20 }, 100)).toEqual({ offset: 0, limit: 20, backwards: false });
    expect(fromNearerEnd({ offset: 40, limit: 20 }, 100)).toEqual({
      offset: 40,
      limit: 20,
      backwards: false,
    });
    expect(fromNearerEnd({ offset: 60, limit: 20 }, 100)).toEqual({ offset: 20, limit: 20, backwards: true });
    expect(fromNearerEnd({ offset: 90, limit: 20 }, 100)).toEqual({ offset: 0, limit: 10, backwards: true });
    expect(fromNearerEnd({ offset: 500, limit: 20 }, 100)).toMatchObject({ limit: 0 });
  });
});
