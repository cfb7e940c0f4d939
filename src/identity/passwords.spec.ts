import * as argon2 from '@node-rs/argon2';
import { Passwords } from './passwords';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { hash: jest.fn(real.hash), verify: jest.fn(real.verify) };
});

describe('Passwords', () => {
  const passwords = new Passwords();

  it('hashes with argon2id and a salt per hash', async () => {
    const first = await passwords.hash('correct horse');
    const second = await passwords.hash('correct horse');
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await passwords.matches(first, 'correct horse')).toBe(true);
    expect(await passwords.matches(first, 'wrong horse')).toBe(false);
  });

  it.each([null, undefined])('returns false for the hash %s, after the same work', async (nothing) => {
    const verify = jest.mocked(argon2.verify).mockClear();
    expect(await passwords.matches(nothing, 'correct horse')).toBe(false);
    expect(verify).toHaveBeenCalledTimes(1);
    expect(verify).toHaveBeenCalledWith(
      expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
      'correct horse',
    );
  });

  it('runs at most two hashes at a time, so that worker threads remain for other work', async () => {
    let running = 0;
    let maxRunning = 0;
    jest.mocked(argon2.hash).mockImplementation(async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise(setImmediate);
      running -= 1;
      return 'hash';
    });
    await Promise.all(Array.from({ length: 20 }, () => passwords.hash('any')));
    expect(maxRunning).toBe(2);
  });

  it('fails with UNAVAILABLE when 250 hashes are queued', async () => {
    jest.mocked(argon2.hash).mockImplementation(async () => 'hash');
    const results = await Promise.allSettled(Array.from({ length: 251 }, () => passwords.hash('any')));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => String(reason.message))).toEqual(['服务暂不可用']);
  });
});
