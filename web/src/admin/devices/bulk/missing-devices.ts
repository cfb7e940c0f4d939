import type { CallboardError } from '@callboard/client';

/**
 * Returns the ids of devices because of which a bulk change was rejected as a whole (API 12.3): they were deleted,
 * or are not in the group that they should leave. Empty if the error has another reason.
 */
export function missingDevices(error: CallboardError | undefined): readonly number[] {
  return error?.key === 'UNKNOWN_DEVICES' ? error.numbers : [];
}
