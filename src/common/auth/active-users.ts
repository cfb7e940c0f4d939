import type { UserId } from '../ids';

/** Hears of each user whose token lets a request in; `statistics` implements it. It is asked on every request: it only notes. */
export abstract class ActiveUsers {
  abstract note(userId: UserId): void;
}
