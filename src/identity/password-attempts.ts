import { Injectable } from '@nestjs/common';
import { BusinessError } from '../common/errors/business-error';
import { addressKey } from '../common/server/address-key';
import { FailureCounters } from '../rate-limit/rate-counters';
import { Passwords } from './passwords';

const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

/** A counter of failed attempts and its maximum in 15 minutes. */
interface Limit {
  key: string;
  max: number;
}

/** Returns the limits of a login to a folded account from an address (API 2.4). */
export const loginLimits = (accountKey: string, address: string): Limit[] => [
  { key: `login:account:${accountKey}`, max: PER_ACCOUNT },
  { key: `login:address:${addressKey(address)}`, max: PER_ADDRESS },
];

/** Returns the limit of guesses at the old password, which a stolen token would allow: the same number as at login. */
export const oldPasswordLimits = (userId: number): Limit[] => [
  { key: `password:${userId}`, max: PER_ACCOUNT },
];

/**
 * Checks passwords with a limit on failures. The limit is read again after a successful check: failures of concurrent
 * requests may have used it up meanwhile, and then the result is not returned. So of any number of concurrent guesses
 * at most `max` get a result. Successes are not counted, so users who know their password do not block each other.
 */
@Injectable()
export class PasswordAttempts {
  constructor(
    private readonly counters: FailureCounters,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Returns whether a password matches a hash; false without a hash, after the same work. A failure is counted.
   * @throws {BusinessError} TOO_MANY_REQUESTS after too many failures, whether or not this password is right
   */
  async isRight(limits: Limit[], passwordHash: string | null, password: string): Promise<boolean> {
    await this.#assertNotExhausted(limits);
    const shares = limits.map(({ key }) => key);
    const isRight = await this.passwords.matches(passwordHash, password, shares);
    await (isRight ? this.#assertNotExhausted(limits) : this.#countFailure(limits));
    return isRight;
  }

  async #assertNotExhausted(limits: Limit[]): Promise<void> {
    for (const { key, max } of limits) {
      const { count, secondsLeft } = await this.counters.read(key);
      if (count >= max) throw tooMany(secondsLeft);
    }
  }

  async #countFailure(limits: Limit[]): Promise<void> {
    const usages = await Promise.all(limits.map(({ key }) => this.counters.hit(key, WINDOW_SECONDS)));
    const exceeded = usages.find(({ count }, index) => count > (limits[index]?.max ?? 0));
    if (exceeded) throw tooMany(exceeded.secondsLeft);
  }
}

const tooMany = (retryAfterSeconds: number): BusinessError =>
  new BusinessError('TOO_MANY_REQUESTS', { retryAfterSeconds });
