import { InboxMap } from '../rules/inbox-map.rules';
import { InboxMapCache } from './inbox-map-cache';

describe('InboxMapCache', () => {
  const map = new InboxMap({ version: 1, types: new Map(), blocks: [] });

  it('evicts the map that was used least recently when the maps exceed its size', () => {
    const maps = new InboxMapCache(2 * map.bytes);
    maps.keep(1, map);
    maps.keep(2, map);
    maps.find(1);
    maps.keep(3, map);
    expect([1, 2, 3].map((userId) => maps.find(userId) === map)).toEqual([true, false, true]);
  });
});
