import { toCallboardError } from '../../../shared/session';

/** `设备不存在: 7, 9`, in whatever language the service answers. */
const MISSING = /: (\d+(?:, \d+)*)$/;
const INVALID = 422;

/**
 * For the sake of which devices the service refused to change several, all or none (contract 18.5): they are gone, or not in the
 * group that they shall leave. Empty where it was for another reason.
 */
export function missingDevices(thrown: unknown): number[] {
  const error = toCallboardError(thrown);
  const [, ids] = error.code === INVALID ? (MISSING.exec(error.message) ?? []) : [];
  return ids === undefined ? [] : ids.split(', ').map(Number);
}
