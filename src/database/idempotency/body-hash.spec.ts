import { bodyHash } from './body-hash';

describe('bodyHash', () => {
  it('is equal for bodies with equal values', () => {
    // printf '{"at":"2026-01-31T08:00:00.000Z","name":"x"}' | openssl dgst -sha256 -binary | basenc --base64url
    const at = new Date('2026-01-31T09:00:00+01:00');
    expect(bodyHash({ name: 'x', at })).toBe('gFxPW_-AEA1tjWj2w-_RR4vnZGhdu8Tv3XPh10oleFc');
    const nothing = { avatar: null, broadcast: false, member_ids: [], left_out: undefined };
    expect(bodyHash({ ...nothing, at, name: 'x' })).toBe(bodyHash({ name: 'x', at }));
  });

  it('differs for other values and for another order of a list', () => {
    const hashes = [
      {},
      { ids: [1, 2] },
      { ids: [2, 1] },
      { data: { a: null } },
      { data: {} },
      { status: 0 },
      { name: '' },
      { broadcast: true },
    ].map(bodyHash);
    expect(new Set(hashes).size).toBe(8);
  });
});
