import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';
import { FairLimit, QueueFull } from '../common/concurrency/fair-limit';
import { BusinessError } from '../common/errors/business-error';

/** argon2id; the library's constant is a `const enum`, which this build cannot read. */
const ARGON2ID: Algorithm = 2;
/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing runs on the worker threads that also check the signatures of tokens, four by default. Two at a time leave
 * the others to every request that is not a log-in.
 */
const AT_ONCE = 2;
/**
 * Three seconds of work. Log-ins that wait occupy requests in flight (`MAX_REQUESTS_IN_FLIGHT`, 500 by default): a flood of them must
 * leave room for all other requests.
 */
const MAX_WAITING = 250;
/** What salts have, in bytes. */
const SALT = 16;

/** Passwords and their argon2id hashes. The event loop never waits for one. */
@Injectable()
export class Passwords {
  /** What a password is held against where there is none, so that both cost the same. */
  readonly #nobodys = hash(randomBytes(16), COST);
  readonly #limit = new FairLimit(AT_ONCE, MAX_WAITING);

  /** The hash of a password in PHC form, which carries its own salt and parameters. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(canonical(password), COST));
  }

  /**
   * Whether a password belongs to a hash. Without a hash it does not, after the same work.
   * @param shares keys that share the queue, such as an address: one with many attempts does not keep the others waiting
   */
  async matches(
    passwordHash: string | null | undefined,
    password: string,
    shares: readonly string[] = [],
  ): Promise<boolean> {
    const against = passwordHash ?? (await this.#nobodys);
    const isRight = await this.#inTurn(() => verify(against, canonical(password)), shares);
    return isRight && passwordHash != null;
  }

  /** A text that is the same for the same password in the same context, and costs as much to guess from as `hash`. */
  async digest(password: string, context: string): Promise<string> {
    const salt = createHash('sha256').update(context).digest().subarray(0, SALT);
    return (await this.#inTurn(() => hashRaw(canonical(password), { ...COST, salt }))).toString('base64url');
  }

  async #inTurn<T>(work: () => Promise<T>, shares: readonly string[] = []): Promise<T> {
    try {
      return await this.#limit.run(work, shares);
    } catch (error) {
      throw error instanceof QueueFull ? new BusinessError('UNAVAILABLE', { cause: error }) : error;
    }
  }
}

/** Keyboards differ in how they compose a character; the password is the same. */
const canonical = (password: string): string => password.normalize('NFC');
