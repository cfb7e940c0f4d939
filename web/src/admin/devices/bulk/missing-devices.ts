import { toCallboardError } from '../../../shared/session';

/**
 * Returns the ids of devices because of which a bulk change was rejected as a whole (contract 18.5): they were deleted,
 * or are not in the group that they should leave. Empty if the error has another reason.
 */
export function missingDevices(thrown: unknown): readonly number[] {
  const { key, numbers } = toCallboardError(thrown);
  return key === 'UNKNOWN_DEVICES' ? numbers : [];
}
