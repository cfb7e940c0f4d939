import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import type { CallId, UserId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { isFinished, isInCall } from '../rules/call-state.rules';
import { CallTransitions } from '../services/call-transitions';
import type { MediaStateRequest } from '../dto/act-on-call.dto';
import type { MediaStateResponse } from '../dto/call-results.dto';
import { type MediaReport, storeReports } from '../store/media-states.store';
import { MediaPresenceService } from './media-presence.service';

const JOINED = 'joined';
/** Terminals report frequently and tolerate delay, so reports that arrive within this time share a transaction. */
const LINGER_MS = 50;
const MAX_WAIT_MS = 10_000;

interface QueuedReport {
  report: MediaReport;
  /** Whether the terminal that is in the call reports `joined`, which renews its lease. */
  isPresent: boolean;
}

/** Stores the media reports of terminals (API 5.5). */
@Injectable()
export class MediaReportsService {
  /** One batch at a time: reports of the same terminal never run concurrently, and keep their order within a batch. */
  readonly #queue = new BatchQueue<QueuedReport, void>({
    concurrency: 1,
    lingerMs: LINGER_MS,
    maxWaitMs: MAX_WAIT_MS,
    work: (items) => this.#store(items),
  });

  constructor(
    private readonly transitions: CallTransitions,
    private readonly presence: MediaPresenceService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a terminal's media report; the first `joined` sets `started_at`. Reports on a finished call are not stored.
   * @throws {BusinessError} CALL_NOT_FOUND, or the error of the state table
   */
  async report(userId: UserId, callId: CallId, request: MediaStateRequest): Promise<MediaStateResponse> {
    const joined = request.stage === JOINED;
    const event = joined ? 'join' : 'report';
    const call = await this.transitions.transition(userId, callId, { event }, ({ started_at }, now) => ({
      columns: joined && started_at === null ? { started_at: now } : {},
    }));
    const response = {
      call_id: call.id,
      status: call.status,
      started_at: call.started_at?.toISOString() ?? null,
      version: call.version,
    };
    if (isFinished(call.status)) return response;
    const { terminal_id: terminalId, stage, network_quality } = request;
    await this.#queue.run({
      report: { userId, callId, terminalId, stage, network_quality },
      isPresent: joined && isInCall(call, userId, terminalId),
    });
    return response;
  }

  async #store(items: QueuedReport[]): Promise<void[]> {
    const present = items.filter(({ isPresent }) => isPresent).map(({ report }) => report);
    const reports = items.map(({ report }) => report);
    await this.transactions.run(async (em) => {
      await this.presence.renewLeases(em, present, { canStart: false });
      await storeReports(em, reports, this.clock.now());
    });
    return items.map(() => undefined);
  }
}
