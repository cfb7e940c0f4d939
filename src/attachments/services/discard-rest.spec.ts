import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { BusinessError } from '../../common/errors/business-error';
import { discardRest } from './discard-rest';

const REASON = new BusinessError('UNAVAILABLE');

/** Discards a body. `isOver` returns whether that has ended. */
function discard(reason: unknown = REASON): { body: PassThrough; isOver: () => boolean } {
  const body = new PassThrough();
  let isOver = false;
  void discardRest(body as unknown as IncomingMessage, reason).then(() => (isOver = true));
  return { body, isOver: () => isOver };
}

describe('The rest of a rejected body', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is read until its end', async () => {
    const { body, isOver } = discard();
    body.write('more');
    await settle();
    expect(isOver()).toBe(false);
    body.end();
    await settle();
    expect(isOver()).toBe(true);
  });

  it('is given up after a second without bytes', async () => {
    const { body, isOver } = discard();
    await jest.advanceTimersByTimeAsync(900);
    body.write('more');
    await settle();
    await jest.advanceTimersByTimeAsync(900);
    expect(isOver()).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(isOver()).toBe(true);
  });

  it('is given up after ten seconds', async () => {
    const { body, isOver } = discard();
    for (let tenths = 0; tenths < 99; tenths += 1) {
      body.write('more');
      await settle();
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(isOver()).toBe(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(isOver()).toBe(true);
  });

  it('is not read if it was too slow, or if the client has disconnected', async () => {
    const slow = discard(new BusinessError('BAD_REQUEST'));
    const gone = discard();
    gone.body.destroy();
    await settle();
    expect([slow.isOver(), gone.isOver()]).toEqual([true, true]);
  });

  it('is not read while twenty others are read', async () => {
    const others = Array.from({ length: 20 }, () => discard());
    const refused = discard();
    await settle();
    expect(refused.isOver()).toBe(true);
    expect(others.filter(({ isOver }) => isOver())).toEqual([]);
    for (const { body } of others) body.end();
    await settle();
    for (const { body } of others) body.resume();
    await settle();
    const next = discard();
    await settle();
    expect(next.isOver()).toBe(false);
    next.body.end();
    await settle();
    expect(next.isOver()).toBe(true);
  });
});
