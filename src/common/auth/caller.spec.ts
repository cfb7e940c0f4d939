import type { UserId } from '../ids';
import { actorOfCaller } from './caller';

describe('actorOfCaller', () => {
  const user = { id: 17 as UserId, role: 'user' as const, expiresAt: 0 };
  const apiKey = { id: 7, name: 'billing', scopes: [], ratePerMinute: 1, expiresAt: null };

  it('returns the user of a token, the key, or the user on whose behalf the key acts', () => {
    expect(actorOfCaller({ user })).toBe('user:17');
    expect(actorOfCaller({ apiKey })).toBe('key:7');
    expect(actorOfCaller({ user, apiKey })).toBe('user:17');
  });

  it('is undefined without authentication', () => {
    expect(actorOfCaller({})).toBeUndefined();
  });
});
