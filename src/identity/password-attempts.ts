import { Injectable } from '@nestjs/common';
import { BusinessError } from '../common/errors/business-error';
import { addressKey } from '../common/server/address-key';
import { FailureCounters } from '../rate-limit/rate-counters';
import { Passwords } from './passwords';

const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

/** Whose failed attempts count together, and how many there may be in 15 minutes. */
interface Limit {
  key: string;
  max: number;
}

/** The limits of a log-in to a folded account from an address (contract 2). */
export const loginLimits = (accountKey: string, address: string): Limit[] => [
  { key: `login:account:${accountKey}`, max: PER_ACCOUNT },
  { key: `login:address:${addressKey(address)}`, max: PER_ADDRESS },
];

/** The limit of guesses at the old password, for whoever got hold of a token: as many as at log-in. */
export const oldPasswordLimits = (userId: number): Limit[] => [
  { key: `password:${userId}`, max: PER_ACCOUNT },
];

/**
 * Checks passwords no more often than limits allow. The verdict is held back when other failures used a limit up
 * while the password was being checked: of any number of guesses that arrive at once, no more than the limit's are
 * answered, and those who know their password are not in each other's way.
 */
@Injectable()
export class PasswordAttempts {
  constructor(
    private readonly counters: FailureCounters,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Whether a password belongs to a hash (without a hash: no, after the same work). A failure counts.
   * @throws {BusinessError} TOO_MANY_REQUESTS when there were too many failures, whatever this one would be
   */
  async isRight(limits: Limit[], passwordHash: string | null, password: string): Promise<boolean> {
    await this.#refuseWhenUsedUp(limits);
    const shares = limits.map(({ key }) => key);
    const isRight = await this.passwords.matches(passwordHash, password, shares);
    await (isRight ? this.#refuseWhenUsedUp(limits) : this.#countFailure(limits));
    return isRight;
  }

  async #refuseWhenUsedUp(limits: Limit[]): Promise<void> {
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
