import type { Config } from '../../config/config';
import type { CurrentRequest } from '../concurrency/current-caller';
import { BusinessError } from '../errors/business-error';
import { CallerShares } from './caller-shares';

const sharesOf = (maxRequestsInFlight: number, workers = 1) =>
  new CallerShares({ maxRequestsInFlight, workers } as Config);

/** Claims a slot for each caller in this order. Returns whether each was accepted. */
const begin = (shares: CallerShares, callers: string[]): boolean[] =>
  callers.map((caller) => {
    try {
      shares.claim({}, caller);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ key: 'UNAVAILABLE', retryAfterSeconds: 1 });
      expect(error).toBeInstanceOf(BusinessError);
      return false;
    }
  });

describe('CallerShares', () => {
  it('leaves half of the slots to other callers when one caller asks for all', () => {
    const shares = sharesOf(20);
    expect(
      begin(
        shares,
        Array.from({ length: 12 }, () => 'user:1'),
      ),
    ).toEqual([...Array.from({ length: 10 }, () => true), false, false]);
    expect(begin(shares, ['user:2', 'user:3', 'user:2', 'user:2', 'key:2'])).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
  });

  it('does not count a request whose client has disconnected', () => {
    const shares = sharesOf(2);
    const request: CurrentRequest = { isUncounted: true };
    for (let count = 0; count < 3; count += 1) shares.claim(request, 'user:1');
    expect(request).toEqual({ isUncounted: true });
    expect(begin(shares, ['user:1', 'user:1'])).toEqual([true, false]);
  });

  it('does not count a request whose client has disconnected before its caller was known', () => {
    const shares = sharesOf(2);
    const request: CurrentRequest = {};
    shares.release(request);
    shares.claim(request, 'user:1');
    expect(begin(shares, ['user:1', 'user:1'])).toEqual([true, false]);
  });

  it('divides the slots among the workers', () => {
    const shares = sharesOf(20, 2);
    expect(begin(shares, ['user:1', 'user:1', 'user:1', 'user:1', 'user:1', 'user:1'])).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('accepts a caller again when enough of its requests have ended', () => {
    const shares = sharesOf(20);
    const requests = Array.from({ length: 10 }, () => ({}));
    for (const request of requests) shares.claim(request, 'user:1');
    expect(begin(shares, ['user:1'])).toEqual([false]);
    shares.release(requests[0] ?? {});
    expect(begin(shares, ['user:1', 'user:1'])).toEqual([true, false]);
  });

  it('counts a request once, and does not count a rejected one', () => {
    const shares = sharesOf(2);
    const request = {};
    shares.claim(request, 'user:1');
    shares.claim(request, 'user:1');
    expect(() => shares.claim({}, 'user:1')).toThrow(BusinessError);
    shares.release({});
    shares.release(request);
    expect(begin(shares, ['user:1', 'user:1'])).toEqual([true, false]);
  });

  it('reports whether other callers were active in the last 5 s', () => {
    jest.useFakeTimers();
    try {
      const shares = sharesOf(20);
      const claim = (caller: string): CurrentRequest => {
        const request: CurrentRequest = {};
        shares.claim(request, caller);
        return request;
      };
      const own = claim('user:1');
      claim('user:1');
      expect(own.hasOthers?.()).toBe(false);
      const others = claim('user:2');
      expect([own.hasOthers?.(), others.hasOthers?.()]).toEqual([true, true]);
      jest.advanceTimersByTime(4_999);
      claim('user:1');
      expect(own.hasOthers?.()).toBe(true);
      jest.advanceTimersByTime(1);
      expect(own.hasOthers?.()).toBe(false);
    } finally {
      jest.useRealTimers();
    }
  });
});
