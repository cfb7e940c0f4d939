import * as argon2 from '@node-rs/argon2';
import { Passwords } from './passwords';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof argon2>('@node-rs/argon2');
  return { hash: jest.fn(real.hash), verify: jest.fn(real.verify) };
});

describe('Passwords', () => {
  const passwords = new Passwords();

  it('are hashed with argon2id, each with a salt of its own', async () => {
    const one = await passwords.hash('correct horse');
    const two = await passwords.hash('correct horse');
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await passwords.matches(one, 'correct horse')).toBe(true);
    expect(await passwords.matches(one, 'wrong horse')).toBe(false);
  });

  it.each([null, undefined])(
    'match nothing where there is none (%s), after the same work',
    async (nothing) => {
      const verify = jest.mocked(argon2.verify).mockClear();
      expect(await passwords.matches(nothing, 'correct horse')).toBe(false);
      expect(verify).toHaveBeenCalledTimes(1);
      expect(verify).toHaveBeenCalledWith(
        expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
        'correct horse',
      );
    },
  );

  it('are checked two at a time, so that worker threads remain for the rest', async () => {
    let running = 0;
    let most = 0;
    jest.mocked(argon2.hash).mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return 'hash';
    });
    await Promise.all(Array.from({ length: 20 }, () => passwords.hash('any')));
    expect(most).toBe(2);
  });

  it('are refused with a 503 when 250 wait already', async () => {
    jest.mocked(argon2.hash).mockImplementation(async () => 'hash');
    const results = await Promise.allSettled(Array.from({ length: 251 }, () => passwords.hash('any')));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => String(reason.message))).toEqual(['服务暂不可用']);
  });
});
