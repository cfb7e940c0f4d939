import type { PreferencesResponse } from '@callboard/client';
import { pickNewest } from '../../src/app/settings/preferences/pick-newest';

describe('pickNewest', () => {
  const preferences = (version: number): PreferencesResponse => ({ version }) as PreferencesResponse;
  const [older, newer] = [preferences(1), preferences(2)];

  it('keeps the cached preferences when an older response arrives', () => {
    expect(pickNewest(newer, older)).toBe(newer);
  });

  it.each([
    ['nothing is cached', undefined],
    ['the cached ones are older', older],
    ['the cached ones have the same version', preferences(2)],
  ])('returns the received preferences when %s', (_, cached) => {
    expect(pickNewest(cached, newer)).toBe(newer);
  });
});
