import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../../common/clock';
import { SingleFlight } from '../../common/concurrency/single-flight';
import { EventsService } from '../../events/events.service';
import { StreamAccess } from '../../events/live/stream-access';
import { PRESENCE_SIGNAL } from './presence-changes';
import type { PresenceStream } from './presence-stream';
import { type Answer, PresenceViews, type Question } from './presence-views';

const MAX_STREAMS_PER_USER = 5;
/** Maximum number of questions per round of statements. */
const QUESTIONS_BATCH_SIZE = 500;

/** Streams with the questions that are answered together. */
type Round = { stream: PresenceStream; questions: Question[] }[];

/**
 * The presence streams that are open on this instance. Changes of users whom no stream shows are ignored. Otherwise the
 * questions of all affected streams are answered together.
 */
@Injectable()
export class PresenceWatchers implements OnModuleInit, BeforeApplicationShutdown, OnModuleDestroy {
  readonly #log = new Logger(PresenceWatchers.name);
  readonly #byWatcher = new Map<number, Set<PresenceStream>>();
  readonly #byWatched = new Map<number, Set<PresenceStream>>();
  /** Streams with unanswered questions. */
  readonly #due = new Set<PresenceStream>();
  /** Users with streams who may have changed whether they can see others. */
  readonly #changedWatchers = new Set<number>();
  /** When the shown state of a user ends by itself: user id → ms since 1970. */
  readonly #endTimes = new Map<number, number>();
  #isClosing = false;
  readonly #refresh = new SingleFlight(
    () => this.#refreshAll(),
    (error) => this.#log.warn(`Failed to load presence for open streams, retrying in 1 s: ${String(error)}`),
  );

  constructor(
    private readonly views: PresenceViews,
    private readonly events: EventsService,
    private readonly access: StreamAccess,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.access.guard(this);
    this.events.onSignal(PRESENCE_SIGNAL, (body) => this.changed(parseIds(body)));
  }

  /** Ends the streams before the server closes, so that it does not wait for them. */
  beforeApplicationShutdown(): void {
    this.#isClosing = true;
    for (const stream of this.streams) stream.end();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get streams(): PresenceStream[] {
    return [...this.#byWatcher.values()].flatMap((streams) => [...streams]);
  }

  streamsOf(userId: number): PresenceStream[] {
    return [...(this.#byWatcher.get(userId) ?? [])];
  }

  /** Adds a stream, which may not have begun yet. If the user has too many, the oldest one ends. */
  add(stream: PresenceStream): void {
    const streams = this.#byWatcher.get(stream.principal.id) ?? new Set();
    this.#byWatcher.set(stream.principal.id, streams.add(stream));
    for (const userId of stream.userIds) {
      const watchers = this.#byWatched.get(userId) ?? new Set();
      this.#byWatched.set(userId, watchers.add(stream));
    }
    const [oldest] = streams;
    if (oldest === undefined || streams.size <= MAX_STREAMS_PER_USER) return;
    this.remove(oldest);
    oldest.end();
  }

  remove(stream: PresenceStream): void {
    this.#due.delete(stream);
    removeFrom(this.#byWatcher, stream.principal.id, stream);
    for (const userId of stream.userIds) {
      removeFrom(this.#byWatched, userId, stream);
      if (!this.#byWatched.has(userId)) this.#endTimes.delete(userId);
    }
  }

  /** Must be called when a stream has begun or its socket has drained. */
  resume(stream: PresenceStream): void {
    this.#due.add(stream);
    this.#refresh.run();
  }

  /** Updates streams after the presence or visibility of these users may have changed. */
  changed(userIds: readonly number[]): void {
    for (const userId of userIds) {
      for (const stream of this.#byWatched.get(userId) ?? []) {
        stream.makeStale(userId);
        this.#due.add(stream);
      }
      if (this.#byWatcher.has(userId)) this.#changedWatchers.add(userId);
    }
    if (this.#due.size > 0 || this.#changedWatchers.size > 0) this.#refresh.run();
  }

  /**
   * Records when the answered states end by themselves. An answer without an end deletes none: another watcher may see
   * the user.
   */
  noteEnds(answers: readonly Answer[]): void {
    for (const { item, endsAt } of answers)
      if (endsAt !== undefined && this.#byWatched.has(item.user_id)) this.#endTimes.set(item.user_id, endsAt);
  }

  /** Drives the streams' timers, and updates streams whose shown states have ended. Called once a second. */
  tick(): void {
    const now = this.clock.now().getTime();
    for (const stream of this.streams) stream.tick(now);
    const expired = Array.from(this.#endTimes).flatMap(([userId, at]) => (at <= now ? [userId] : []));
    for (const userId of expired) this.#endTimes.delete(userId);
    this.changed(expired);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#refresh.stop();
  }

  async #refreshAll(): Promise<void> {
    await this.#refreshWatchers();
    while (this.#due.size > 0) {
      const round: Round = [];
      let remaining = QUESTIONS_BATCH_SIZE;
      for (const stream of this.#due) {
        const questions = stream.takeQuestions(remaining);
        if (questions.length > 0) round.push({ stream, questions });
        remaining -= questions.length;
        if (remaining <= 0) break;
        this.#due.delete(stream);
      }
      await this.#answer(round);
    }
  }

  /** A user who starts or stops hiding sees the presence of all others differently. */
  async #refreshWatchers(): Promise<void> {
    const userIds = [...this.#changedWatchers];
    if (userIds.length === 0) return;
    const showing = await this.views.showing(userIds);
    for (const userId of userIds) {
      this.#changedWatchers.delete(userId);
      for (const stream of this.streamsOf(userId)) {
        const seesOthers = showing.has(userId);
        if (stream.seesOthers === seesOthers) continue;
        stream.seesOthers = seesOthers;
        stream.makeAllStale();
        this.#due.add(stream);
      }
    }
  }

  async #answer(round: Round): Promise<void> {
    if (round.length === 0) return;
    try {
      const answers = await this.views.answer(round.flatMap(({ questions }) => questions));
      const now = this.clock.now().getTime();
      this.noteEnds(answers);
      for (const { stream, questions } of round) stream.say(answers.splice(0, questions.length), now);
    } catch (error) {
      for (const { stream, questions } of round) {
        for (const { otherId } of questions) stream.makeStale(otherId);
        if (!stream.isOver) this.#due.add(stream);
      }
      throw error;
    }
  }
}

function removeFrom(byUser: Map<number, Set<PresenceStream>>, userId: number, stream: PresenceStream): void {
  const streams = byUser.get(userId);
  streams?.delete(stream);
  if (streams?.size === 0) byUser.delete(userId);
}

/** Parses the body of a signal from another instance, which is not trusted to be valid. */
const parseIds = (body: unknown): number[] =>
  Array.isArray(body) ? body.filter((id): id is number => typeof id === 'number') : [];
