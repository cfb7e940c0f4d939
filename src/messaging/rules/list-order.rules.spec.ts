import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { fromNearerEnd } from '../../common/http/page';
import { byListOrder, fanOutOnWriteSlice, type ConversationListKey, mergePage } from './list-order.rules';

const key = fc.record({
  pinned: fc.boolean(),
  sort_at: fc.nat({ max: 5 }).map((seconds) => new Date(seconds * 1000)),
  isFannedOutOnRead: fc.boolean(),
});

describe('mergePage', () => {
  it('returns the same pages as one sorted list of both sources', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (keys, per_page) => {
        const all = keys
          .map((each, index) => ({ ...each, conversation_id: index + 1 }))
          .toSorted(byListOrder);
        const fanOutOnWrite = all.filter(({ isFannedOutOnRead }) => !isFannedOutOnRead);
        const fanOutOnRead = all.filter(({ isFannedOutOnRead }) => isFannedOutOnRead).toReversed();
        for (let page = 1; page <= all.length / per_page + 2; page += 1) {
          const request = { page, per_page };
          const { offset, limit, backwards } = fromNearerEnd(
            fanOutOnWriteSlice(request, fanOutOnRead.length),
            fanOutOnWrite.length,
          );
          const source = backwards ? fanOutOnWrite.toReversed() : fanOutOnWrite;
          const slice: ConversationListKey[] = source.slice(offset, offset + limit);
          expect(mergePage<ConversationListKey>(request, slice, fanOutOnRead)).toEqual(
            all.slice((page - 1) * per_page, page * per_page),
          );
        }
      }),
      propertyRuns(),
    );
  });

  it('returns a conversation once that moved between the sources between their queries', () => {
    const grown = { conversation_id: 7, pinned: false, sort_at: new Date(3_000) };
    const other = { conversation_id: 8, pinned: false, sort_at: new Date(2_000) };
    const later = { ...grown, sort_at: new Date(4_000) };
    expect(mergePage({ page: 1, per_page: 20 }, [grown, other], [later])).toEqual([later, other]);
  });
});
