import { Inject, Injectable } from '@nestjs/common';
import { CallAdministrationService } from '../calls/services/call-administration.service';
import { CallHistoryService } from '../calls/services/call-history.service';
import { CallsService } from '../calls/services/calls.service';
import { MediaReportsService } from '../calls/media/media-reports.service';
import { BusinessError } from '../common/errors/business-error';
import type { CallId, UserId } from '../common/ids';
import { CONFIG, type Config } from '../config/config';
import type { DemoUsers } from './demo-people';
import { MINUTES_PER_DAY, type DemoStep, MINUTES_PER_HOUR } from './demo-step';

type MediaType = 'audio' | 'video';
type Advance = Parameters<DemoStep['play']>[0];

/** Calls must end before the next step. Calls that ring or last longer than this by the settings are omitted. */
const MAX_RING_SECONDS = 30 * 60;
const MAX_CALL_SECONDS = 4 * 60 * 60;

/** The calls of the demo data: one for every `end_reason`. */
@Injectable()
export class DemoCalls {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly calls: CallsService,
    private readonly reports: MediaReportsService,
    private readonly history: CallHistoryService,
    private readonly administration: CallAdministrationService,
  ) {}

  scenes({ alice, bob, door, admin, emma, liam }: DemoUsers): DemoStep[] {
    const { ringTimeoutSeconds, maxDurationSeconds } = this.config.calls;
    /** Places a call that the caller ends after `seconds`. */
    const completed =
      (callerId: UserId, calleeId: UserId, mediaType: MediaType, seconds: number, reason = 'local_hangup') =>
      async (advance: Advance) => {
        const end = await this.#acceptCall(callerId, calleeId, mediaType, advance);
        advance(10 + seconds);
        await end(callerId, reason);
      };
    const rejected = (callerId: UserId, calleeId: UserId, reason: string) => async (advance: Advance) => {
      const callId = await this.#place(callerId, calleeId, 'audio');
      advance(6);
      await this.calls.reject(calleeId, callId, { terminal_id: terminalOf(calleeId), reason });
    };
    const missed = (callerId: UserId, calleeId: UserId) => async (advance: Advance) => {
      const callId = await this.#place(callerId, calleeId, 'video');
      advance(ringTimeoutSeconds);
      await this.history.find(callerId, callId);
    };
    const steps: DemoStep[] = [
      { minutesAgo: 4.9 * MINUTES_PER_DAY, play: completed(alice, bob, 'video', 12 * 60) },
      { minutesAgo: 4.7 * MINUTES_PER_DAY, play: rejected(bob, alice, 'user_reject') },
      { minutesAgo: 4.6 * MINUTES_PER_DAY, play: rejected(admin, bob, '正在开会') },
      {
        minutesAgo: 4.4 * MINUTES_PER_DAY,
        play: async (advance) => {
          const callId = await this.#place(alice, bob, 'audio');
          advance(15);
          await this.calls.cancel(alice, callId, { terminal_id: terminalOf(alice), reason: 'caller_cancel' });
        },
      },
      {
        minutesAgo: 3.7 * MINUTES_PER_DAY,
        play: async (advance) => {
          const end = await this.#acceptCall(door, alice, 'video', advance);
          advance(20);
          await this.#callBusyUser(bob, alice);
          advance(45);
          await end(alice, 'local_hangup');
        },
      },
      { minutesAgo: 2.6 * MINUTES_PER_DAY, play: completed(bob, alice, 'video', 95, 'connection_lost') },
      {
        minutesAgo: 1.8 * MINUTES_PER_DAY,
        play: async (advance) => {
          const callId = await this.#place(bob, door, 'audio');
          advance(5);
          await this.calls.accept(door, callId, { terminal_id: terminalOf(door) });
          advance(10 * 60);
          await this.administration.end(callId, 'admin_end');
        },
      },
      { minutesAgo: 3 * MINUTES_PER_HOUR, play: completed(alice, bob, 'audio', 4 * 60) },
      { minutesAgo: 21 * MINUTES_PER_HOUR, play: completed(emma, liam, 'video', 8 * 60) },
      { minutesAgo: 18 * MINUTES_PER_HOUR, play: rejected(liam, emma, 'user_reject') },
    ];
    if (ringTimeoutSeconds <= MAX_RING_SECONDS)
      steps.push(
        { minutesAgo: 4.2 * MINUTES_PER_DAY, play: missed(door, alice) },
        { minutesAgo: 2.5 * MINUTES_PER_HOUR, play: missed(bob, alice) },
        { minutesAgo: 2.2 * MINUTES_PER_HOUR, play: missed(liam, emma) },
      );
    if (maxDurationSeconds <= MAX_CALL_SECONDS)
      steps.push({
        minutesAgo: 3.5 * MINUTES_PER_DAY,
        play: async (advance) => {
          const callId = await this.#place(admin, bob, 'video');
          await this.calls.accept(bob, callId, { terminal_id: terminalOf(bob) });
          advance(maxDurationSeconds);
          await this.history.find(admin, callId);
        },
      });
    return steps;
  }

  async #place(callerId: UserId, callee_id: UserId, media_type: MediaType): Promise<CallId> {
    const request = { callee_id, media_type, terminal_id: terminalOf(callerId) };
    const placed = await this.calls.create({ id: callerId, role: 'admin' }, request);
    return placed.call_id as CallId;
  }

  /** Places a call that rings for 8 s and is joined by both users. Returns the function that ends it. */
  async #acceptCall(callerId: UserId, calleeId: UserId, mediaType: MediaType, advance: Advance) {
    const callId = await this.#place(callerId, calleeId, mediaType);
    advance(8);
    await this.calls.accept(calleeId, callId, { terminal_id: terminalOf(calleeId) });
    advance(10);
    for (const userId of [callerId, calleeId])
      await this.reports.report(userId, callId, {
        terminal_id: terminalOf(userId),
        stage: 'joined',
        network_quality: 'good',
      });
    return (userId: UserId, reason: string) =>
      this.calls.hangUp(userId, callId, { terminal_id: terminalOf(userId), reason });
  }

  /** Calls a user who is in another call. The failed call is in the histories of both users. */
  async #callBusyUser(callerId: UserId, calleeId: UserId): Promise<void> {
    await this.#place(callerId, calleeId, 'audio').catch((error: unknown) => {
      if (!(error instanceof BusinessError && error.key === 'CALLEE_BUSY')) throw error;
    });
  }
}

const terminalOf = (userId: UserId): string => `terminal-${userId}`;
