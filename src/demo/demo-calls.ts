import { Inject, Injectable } from '@nestjs/common';
import { CallAdministrationService } from '../calls/administration/call-administration.service';
import { CallHistoryService } from '../calls/call-history.service';
import { CallsService } from '../calls/calls.service';
import { MediaReportsService } from '../calls/media/media-reports.service';
import { BusinessError } from '../common/errors/business-error';
import type { CallId, UserId } from '../common/ids';
import { CONFIG, type Config } from '../config/config';
import { DAY, type DemoCast, type DemoScene, HOUR } from './demo-scene';

type MediaType = 'audio' | 'video';
type Later = Parameters<DemoScene['play']>[0];

/** Calls of the past must be over before something else is told: with longer settings those that last are left out. */
const LONGEST_RING_SECONDS = 30 * 60;
const LONGEST_CALL_SECONDS = 4 * 60 * 60;

/** The demonstration's calls: one of every end that a call can have. */
@Injectable()
export class DemoCalls {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly calls: CallsService,
    private readonly reports: MediaReportsService,
    private readonly history: CallHistoryService,
    private readonly administration: CallAdministrationService,
  ) {}

  scenes({ alice, bob, door, admin, emma, liam }: DemoCast): DemoScene[] {
    const { ringTimeoutSeconds, maxDurationSeconds } = this.config.calls;
    const rejected = (callerId: UserId, calleeId: UserId, reason: string) => async (later: Later) => {
      const callId = await this.#place(callerId, calleeId, 'audio');
      later(6);
      await this.calls.reject(calleeId, callId, { terminal_id: terminalOf(calleeId), reason });
    };
    const missed = (callerId: UserId, calleeId: UserId) => async (later: Later) => {
      const callId = await this.#place(callerId, calleeId, 'video');
      later(ringTimeoutSeconds);
      await this.history.find(callerId, callId);
    };
    const scenes: DemoScene[] = [
      { minutesAgo: 4.9 * DAY, play: (later) => this.#talk(alice, bob, 'video', later, 12 * 60) },
      { minutesAgo: 4.7 * DAY, play: rejected(bob, alice, 'user_reject') },
      { minutesAgo: 4.6 * DAY, play: rejected(admin, bob, '正在开会') },
      {
        minutesAgo: 4.4 * DAY,
        play: async (later) => {
          const callId = await this.#place(alice, bob, 'audio');
          later(15);
          await this.calls.cancel(alice, callId, { terminal_id: terminalOf(alice), reason: 'caller_cancel' });
        },
      },
      {
        minutesAgo: 3.7 * DAY,
        play: async (later) => {
          const end = await this.#answered(door, alice, 'video', later);
          later(20);
          await this.#tryBusy(bob, alice);
          later(45);
          await end(alice, 'local_hangup');
        },
      },
      {
        minutesAgo: 2.6 * DAY,
        play: (later) => this.#talk(bob, alice, 'video', later, 95, 'connection_lost'),
      },
      {
        minutesAgo: 1.8 * DAY,
        play: async (later) => {
          const callId = await this.#place(bob, door, 'audio');
          later(5);
          await this.calls.accept(door, callId, { terminal_id: terminalOf(door) });
          later(10 * 60);
          await this.administration.end(callId, 'admin_end');
        },
      },
      { minutesAgo: 3 * HOUR, play: (later) => this.#talk(alice, bob, 'audio', later, 4 * 60) },
      { minutesAgo: 21 * HOUR, play: (later) => this.#talk(emma, liam, 'video', later, 8 * 60) },
      { minutesAgo: 18 * HOUR, play: rejected(liam, emma, 'user_reject') },
    ];
    if (ringTimeoutSeconds <= LONGEST_RING_SECONDS)
      scenes.push(
        { minutesAgo: 4.2 * DAY, play: missed(door, alice) },
        { minutesAgo: 2.5 * HOUR, play: missed(bob, alice) },
        { minutesAgo: 2.2 * HOUR, play: missed(liam, emma) },
      );
    if (maxDurationSeconds <= LONGEST_CALL_SECONDS)
      scenes.push({
        minutesAgo: 3.5 * DAY,
        play: async (later) => {
          const callId = await this.#place(admin, bob, 'video');
          await this.calls.accept(bob, callId, { terminal_id: terminalOf(bob) });
          later(maxDurationSeconds);
          await this.history.find(admin, callId);
        },
      });
    return scenes;
  }

  async #place(callerId: UserId, callee_id: UserId, media_type: MediaType): Promise<CallId> {
    const request = { callee_id, media_type, terminal_id: terminalOf(callerId) };
    const placed = await this.calls.create({ id: callerId, role: 'admin' }, request);
    return placed.call_id as CallId;
  }

  /** A call that rings for eight seconds and in which both then are; answers what ends it. */
  async #answered(callerId: UserId, calleeId: UserId, mediaType: MediaType, later: Later) {
    const callId = await this.#place(callerId, calleeId, mediaType);
    later(8);
    await this.calls.accept(calleeId, callId, { terminal_id: terminalOf(calleeId) });
    later(10);
    for (const userId of [callerId, calleeId])
      await this.reports.report(userId, callId, {
        terminal_id: terminalOf(userId),
        stage: 'joined',
        network_quality: 'good',
      });
    return (userId: UserId, reason: string) =>
      this.calls.hangUp(userId, callId, { terminal_id: terminalOf(userId), reason });
  }

  /** A call that the caller ends after so many seconds. */
  async #talk(
    callerId: UserId,
    calleeId: UserId,
    mediaType: MediaType,
    later: Later,
    seconds: number,
    reason = 'local_hangup',
  ): Promise<void> {
    const end = await this.#answered(callerId, calleeId, mediaType, later);
    later(10 + seconds);
    await end(callerId, reason);
  }

  /** Finds the callee in another call, which is in both histories. */
  async #tryBusy(callerId: UserId, calleeId: UserId): Promise<void> {
    await this.#place(callerId, calleeId, 'audio').catch((error: unknown) => {
      if (!(error instanceof BusinessError && error.key === 'CALLEE_BUSY')) throw error;
    });
  }
}

const terminalOf = (userId: UserId): string => `terminal-${userId}`;
