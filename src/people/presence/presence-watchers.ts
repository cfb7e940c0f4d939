import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { EventsService } from '../../events/events.service';
import { StreamAccess } from '../../events/live/stream-access';
import { PRESENCE_SIGNAL } from './presence-changes';
import type { PresenceStream } from './presence-stream';
import { type Answer, PresenceViews } from './presence-views';

const STREAMS_PER_USER = 5;
/** Questions of one round of statements. */
const AT_ONCE = 500;

/**
 * The presence streams that are open on this instance. Whoever is watched by none of them costs nothing here; when
 * somebody who is has changed, their watchers' questions are asked together.
 */
@Injectable()
export class PresenceWatchers implements OnModuleInit, BeforeApplicationShutdown {
  readonly #log = new Logger(PresenceWatchers.name);
  readonly #byWatcher = new Map<number, Set<PresenceStream>>();
  readonly #byWatched = new Map<number, Set<PresenceStream>>();
  /** Streams that have something to ask. */
  readonly #due = new Set<PresenceStream>();
  /** Watchers of whom it is not known whether they still see others. */
  readonly #changedWatchers = new Set<number>();
  /** When what was said of somebody ends by itself. */
  readonly #ends = new Map<number, number>();
  #isClosing = false;
  readonly #asking = new SingleFlight(
    () => this.#ask(),
    (error) => this.#log.warn(`Watchers wait for the next second: ${String(error)}`),
  );

  constructor(
    private readonly views: PresenceViews,
    private readonly events: EventsService,
    private readonly access: StreamAccess,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.access.guard(this);
    this.events.onSignal(PRESENCE_SIGNAL, (body) => this.changed(idsIn(body)));
  }

  /** Streams end before the server closes, so that it need not wait for them. */
  beforeApplicationShutdown(): void {
    this.#isClosing = true;
    for (const stream of this.streams) stream.end();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get streams(): PresenceStream[] {
    return [...this.#byWatcher.values()].flatMap((own) => [...own]);
  }

  streamsOf(userId: number): PresenceStream[] {
    return [...(this.#byWatcher.get(userId) ?? [])];
  }

  /** Whether somebody watches this user here, or this user somebody. */
  isConcerned(userId: number): boolean {
    return this.#byWatched.has(userId) || this.#byWatcher.has(userId);
  }

  /** Takes in a stream, which need not have begun; the user's oldest one ends when there are too many. */
  add(stream: PresenceStream): void {
    const own = this.#byWatcher.get(stream.principal.id) ?? new Set();
    this.#byWatcher.set(stream.principal.id, own.add(stream));
    for (const userId of stream.userIds) {
      const watchers = this.#byWatched.get(userId) ?? new Set();
      this.#byWatched.set(userId, watchers.add(stream));
    }
    const [oldest] = own;
    if (oldest === undefined || own.size <= STREAMS_PER_USER) return;
    this.remove(oldest);
    oldest.end();
  }

  remove(stream: PresenceStream): void {
    this.#due.delete(stream);
    leave(this.#byWatcher, stream.principal.id, stream);
    for (const userId of stream.userIds) {
      leave(this.#byWatched, userId, stream);
      if (!this.#byWatched.has(userId)) this.#ends.delete(userId);
    }
  }

  /** A stream has begun, or its socket takes more. */
  resume(stream: PresenceStream): void {
    this.#due.add(stream);
    this.#asking.run();
  }

  /** Something of these users may be seen otherwise now. */
  changed(userIds: readonly number[]): void {
    for (const userId of userIds) {
      for (const stream of this.#byWatched.get(userId) ?? []) {
        stream.makeStale(userId);
        this.#due.add(stream);
      }
      if (this.#byWatcher.has(userId)) this.#changedWatchers.add(userId);
    }
    if (this.#due.size > 0 || this.#changedWatchers.size > 0) this.#asking.run();
  }

  /** Notes when what answers say ends by itself. That one watcher sees nothing of somebody says nothing of the others. */
  noteEnds(answers: readonly Answer[]): void {
    for (const { item, endsAt } of answers)
      if (endsAt !== undefined && this.#byWatched.has(item.user_id)) this.#ends.set(item.user_id, endsAt);
  }

  /** What time brings. */
  tick(): void {
    const now = this.clock.now().getTime();
    for (const stream of this.streams) stream.tick(now);
    const over = Array.from(this.#ends).flatMap(([userId, at]) => (at <= now ? [userId] : []));
    for (const userId of over) this.#ends.delete(userId);
    this.changed(over);
  }

  async stop(): Promise<void> {
    await this.#asking.stop();
  }

  async #ask(): Promise<void> {
    await this.#askForWatchers();
    while (this.#due.size > 0) {
      const round: { stream: PresenceStream; userIds: number[] }[] = [];
      let left = AT_ONCE;
      for (const stream of this.#due) {
        const userIds = stream.takeQuestions(left).map(({ otherId }) => otherId);
        if (userIds.length > 0) round.push({ stream, userIds });
        left -= userIds.length;
        if (left <= 0) break;
        this.#due.delete(stream);
      }
      await this.#answer(round);
    }
  }

  /** Who begins to hide, or ceases to, sees everybody otherwise. */
  async #askForWatchers(): Promise<void> {
    const userIds = [...this.#changedWatchers];
    if (userIds.length === 0) return;
    const showing = await this.views.showing(userIds);
    for (const userId of userIds) {
      this.#changedWatchers.delete(userId);
      for (const stream of this.streamsOf(userId)) {
        const sees = showing.has(userId);
        if (stream.seesOthers === sees) continue;
        stream.seesOthers = sees;
        stream.makeAllStale();
        this.#due.add(stream);
      }
    }
  }

  async #answer(round: { stream: PresenceStream; userIds: number[] }[]): Promise<void> {
    const questions = round.flatMap(({ stream, userIds }) => userIds.map((id) => stream.questionOf(id)));
    if (questions.length === 0) return;
    try {
      const answers = await this.views.answer(questions);
      const now = this.clock.now().getTime();
      this.noteEnds(answers);
      for (const { stream, userIds } of round) stream.say(answers.splice(0, userIds.length), now);
    } catch (error) {
      for (const { stream, userIds } of round) {
        for (const userId of userIds) stream.makeStale(userId);
        if (!stream.isOver) this.#due.add(stream);
      }
      throw error;
    }
  }
}

function leave(streams: Map<number, Set<PresenceStream>>, userId: number, stream: PresenceStream): void {
  const own = streams.get(userId);
  own?.delete(stream);
  if (own?.size === 0) streams.delete(userId);
}

/** Whatever another instance has sent. */
const idsIn = (body: unknown): number[] =>
  Array.isArray(body) ? body.filter((id): id is number => typeof id === 'number') : [];
