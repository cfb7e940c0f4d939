import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';
import { FairLimit, QueueFull } from '../common/concurrency/fair-limit';
import { BusinessError } from '../common/errors/business-error';

/** argon2id. The library's constant is a `const enum`, which this build cannot read. */
const ARGON2ID: Algorithm = 2;
/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Maximum number of concurrent hashes. They run on the worker threads that also verify token signatures, four by
 * default; two remain for all other requests.
 */
const CONCURRENCY = 2;
/**
 * Maximum queue length, about 3 s of work. Waiting logins occupy slots of `MAX_REQUESTS_IN_FLIGHT` (500 by default): a
 * flood of them must leave room for other requests.
 */
const MAX_WAITING = 250;
/** Length of a salt in bytes. */
const SALT_BYTES = 16;

/** Hashes and verifies passwords with argon2id, on worker threads. */
@Injectable()
export class Passwords {
  /** Hash that is verified when a user has none, so that the cost is the same. */
  readonly #dummyHash = hash(randomBytes(16), COST);
  readonly #limit = new FairLimit(CONCURRENCY, MAX_WAITING);

  /** Returns the hash in PHC format, which contains its salt and parameters. */
  hash(password: string): Promise<string> {
    return this.#runQueued(() => hash(canonical(password), COST));
  }

  /**
   * Returns whether a password matches a hash; false without a hash, after the same work.
   * @param shares keys for fair queueing, such as an address: many attempts with one key do not delay those with other
   *   keys
   */
  async matches(
    passwordHash: string | null | undefined,
    password: string,
    shares: readonly string[] = [],
  ): Promise<boolean> {
    const hashToVerify = passwordHash ?? (await this.#dummyHash);
    const isRight = await this.#runQueued(() => verify(hashToVerify, canonical(password)), shares);
    return isRight && passwordHash != null;
  }

  /** Returns a digest that is equal for the same password and context, and as expensive to guess from as `hash`. */
  async digest(password: string, context: string): Promise<string> {
    const salt = createHash('sha256').update(context).digest().subarray(0, SALT_BYTES);
    return (await this.#runQueued(() => hashRaw(canonical(password), { ...COST, salt }))).toString(
      'base64url',
    );
  }

  async #runQueued<T>(work: () => Promise<T>, shares: readonly string[] = []): Promise<T> {
    try {
      return await this.#limit.run(work, shares);
    } catch (error) {
      throw error instanceof QueueFull ? new BusinessError('UNAVAILABLE', { cause: error }) : error;
    }
  }
}

/** Keyboards compose characters differently; NFC makes the same password equal. */
const canonical = (password: string): string => password.normalize('NFC');
