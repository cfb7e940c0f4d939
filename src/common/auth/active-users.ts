import type { UserId } from '../ids';

/**
 * Receives the user of each request that a token authenticates; implemented by `statistics`. Runs on every request, so
 * it must only record the id.
 */
export abstract class ActiveUsers {
  abstract note(userId: UserId): void;
}
