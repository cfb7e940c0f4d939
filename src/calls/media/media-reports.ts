import { type EntityManager, In } from 'typeorm';
import type { CallId, UserId } from '../../common/ids';
import { sentFields } from '../../common/input/sent-fields';
import { updateRows } from '../../database/rows';
import type { MediaStateRequest } from '../dto/act-on-call.dto';
import { CallMediaStateEntity } from '../entities/call-media-state.entity';

/** Terminals name themselves; so many of one user are kept for a call, those that reported last. */
const TERMINALS_KEPT = 20;

/** Keeps the latest report of each of a user's terminals in a call (contract 3.2). */
export async function storeReport(
  em: EntityManager,
  { userId, callId, report, now }: { userId: UserId; callId: CallId; report: MediaStateRequest; now: Date },
): Promise<void> {
  const ofUser = { call_id: callId, user_id: userId };
  const key = { ...ofUser, terminal_id: report.terminal_id };
  // What a report does not mention stays as it was last reported.
  const { terminal_id: _, ...told } = sentFields(report);
  const latest = { ...told, reported_at: now };
  // A terminal that has reported before, as most have: they do so all the time.
  if ((await updateRows(em, CallMediaStateEntity, key, latest)) > 0) return;
  await em.upsert(CallMediaStateEntity, { ...key, ...latest }, ['call_id', 'user_id', 'terminal_id']);
  const terminals = await em.find(CallMediaStateEntity, {
    select: { terminal_id: true },
    where: ofUser,
    order: { reported_at: 'DESC' },
  });
  if (terminals.length <= TERMINALS_KEPT) return;
  const others = terminals.map(({ terminal_id }) => terminal_id).filter((id) => id !== report.terminal_id);
  await em.delete(CallMediaStateEntity, { ...ofUser, terminal_id: In(others.slice(TERMINALS_KEPT - 1)) });
}
