import type { UserId } from '../ids';
import { actorOfCaller } from './caller';

describe('Who acts', () => {
  const user = { id: 17 as UserId, role: 'user' as const, expiresAt: 0 };
  const apiKey = { id: 7, name: 'billing', scopes: [], ratePerMinute: 1, expiresAt: null };

  it('is the user of a token, or a key, or the user on whose behalf a key acts', () => {
    expect(actorOfCaller({ user })).toBe('user:17');
    expect(actorOfCaller({ apiKey })).toBe('key:7');
    expect(actorOfCaller({ user, apiKey })).toBe('user:17');
  });

  it('is nobody where nobody is asked', () => {
    expect(actorOfCaller({})).toBeUndefined();
  });
});
