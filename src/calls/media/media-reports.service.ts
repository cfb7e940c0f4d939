import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { BatchQueue } from '../../common/concurrency/batch-queue';
import type { CallId, UserId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { isFinished, terminalOf } from '../call-state';
import { CallTransitions } from '../call-transitions';
import type { MediaStateRequest } from '../dto/act-on-call.dto';
import { type MediaStateResponse, toMediaStateResponse } from '../dto/call-results.dto';
import type { CallEntity } from '../entities/call.entity';
import { type MediaReport, storeReports } from '../store/media-states';
import { MediaPresenceService } from './media-presence.service';

const JOINED = 'joined';
/** Reports are nobody's first concern, and every terminal of every call sends them all the time: some share a transaction. */
const REST_MS = 50;
const PATIENCE_MS = 10_000;

interface Kept {
  report: MediaReport;
  /** Whether the terminal that is in the call says so. */
  isPresent: boolean;
}

/** Takes what terminals tell of their media (contract 3.2). */
@Injectable()
export class MediaReportsService {
  /** One batch at a time: whose reports come together is in one, whatever their order. */
  readonly #queue = new BatchQueue<Kept, void>({
    atOnce: 1,
    restMs: REST_MS,
    patienceMs: PATIENCE_MS,
    keysOf: () => [],
    weightOf: () => 1,
    work: (items) => this.#keep(items),
  });

  constructor(
    private readonly transitions: CallTransitions,
    private readonly presence: MediaPresenceService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps a terminal's media report; the first `joined` starts the call's clock. Of a finished call nothing is kept.
   * @throws {BusinessError} CALL_NOT_FOUND, or what the table of states answers
   */
  async report(userId: UserId, callId: CallId, request: MediaStateRequest): Promise<MediaStateResponse> {
    const joined = request.stage === JOINED;
    const call = await this.transitions.act(userId, callId, {
      event: joined ? 'join' : 'report',
      changes: ({ started_at }, now) => (joined && started_at === null ? { started_at: now } : {}),
    });
    if (isFinished(call.status)) return toMediaStateResponse(call);
    const { terminal_id: terminalId, stage, network_quality } = request;
    await this.#queue.run({
      report: { userId, callId, terminalId, stage, network_quality },
      isPresent: joined && isInCall(call, userId, terminalId),
    });
    return toMediaStateResponse(call);
  }

  async #keep(items: Kept[]): Promise<void[]> {
    const present = items.filter(({ isPresent }) => isPresent).map(({ report }) => report);
    const reports = items.map(({ report }) => report);
    await this.transactions.run(async (em) => {
      await this.presence.renewLeases(em, present);
      await storeReports(em, reports, this.clock.now());
    });
    return items.map(() => undefined);
  }
}

/** Whether it is the user's terminal that placed or answered the call. */
function isInCall(call: CallEntity, userId: UserId, terminalId: string): boolean {
  const own = terminalOf(call, userId);
  return own === null || own === terminalId;
}
