import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import type { CallId } from '../../common/ids';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { isFinished } from '../rules/call-state.rules';
import { CallTransitions } from './call-transitions';
import { type AdminCallDetailResponse, timelineOf, toCallTerminalResponse } from '../dto/admin-call.dto';
import { type AdminCallFields, type AdminCallResponse, toAdminCallResponse } from '../dto/call-record.dto';
import type { CallEntity } from '../entities/call.entity';
import { mediaStatesOf } from '../store/media-states.store';

/** Reads and ends calls for administrators (API 15.2). */
@Injectable()
export class CallAdministrationService {
  constructor(
    private readonly transitions: CallTransitions,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /** @throws {BusinessError} CALL_NOT_FOUND */
  async find(callId: CallId): Promise<AdminCallDetailResponse> {
    const call = await this.transitions.expireIfDue(callId);
    const states = await mediaStatesOf(this.transactions.read(), callId);
    const terminals = states.map(toCallTerminalResponse);
    return { ...(await this.#toRecord(call)), terminals, timeline: timelineOf(call) };
  }

  /**
   * Ends a call in any state. A finished call is returned unchanged; a ringing call becomes a missed call of the
   * callee.
   * @throws {BusinessError} CALL_NOT_FOUND
   */
  async end(callId: CallId, reason: string): Promise<AdminCallResponse> {
    for (;;) {
      const call = await this.transitions.expireIfDue(callId);
      if (isFinished(call.status)) return this.#toRecord(call);
      const ended_at = this.clock.now();
      const after = await this.transactions.run(async (em) => {
        const ended = await this.transitions.end(em, call, { end_reason: reason, ended_at });
        if (ended)
          recordAudit(em, { object_id: callId, before: auditedFields(call), after: auditedFields(ended) });
        return ended;
      });
      if (after) return this.#toRecord(after);
    }
  }

  async #toRecord(call: CallEntity): Promise<AdminCallFields> {
    return toAdminCallResponse(call, await this.users.findByIds([call.caller_id, call.callee_id]));
  }
}

/** The fields of a call that the audit log records. */
const auditedFields = ({ status, end_reason, ended_at }: CallEntity) => ({ status, end_reason, ended_at });
