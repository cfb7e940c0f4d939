import * as argon2 from '@node-rs/argon2';
import type { FailureCounters } from '../rate-limit/rate-counters';
import { loginLimits, PasswordAttempts } from './password-attempts';
import { Passwords } from './passwords';

jest.mock('@node-rs/argon2', () => ({
  hash: () => Promise.resolve('dummy hash'),
  verify: jest.fn(),
}));

describe('PasswordAttempts', () => {
  const counters = {
    read: () => Promise.resolve({ count: 0, secondsLeft: 1 }),
    hit: () => Promise.resolve({ count: 1, secondsLeft: 1 }),
  } as unknown as FailureCounters;

  it.each([
    ['one address tries many accounts', (index: number) => loginLimits(`account-${index}`, '192.0.2.1')],
    ['many addresses try one account', (index: number) => loginLimits('account', `192.0.2.${index}`)],
  ])('checks the password of another user next when %s', async (_what, limitsOf) => {
    const checked: string[] = [];
    jest.mocked(argon2.verify).mockImplementation(async (_hash, password) => {
      checked.push(String(password));
      await new Promise(setImmediate);
      return true;
    });
    const attempts = new PasswordAttempts(counters, new Passwords());
    const flood = Array.from({ length: 50 }, (_, index) =>
      attempts.isRight(limitsOf(index), 'hash', 'flood'),
    );
    const user = attempts.isRight(loginLimits('user', '198.51.100.7'), 'hash', 'user');
    await Promise.all([...flood, user]);
    expect(checked).toHaveLength(51);
    expect(checked.indexOf('user')).toBeLessThan(3);
  });
});
