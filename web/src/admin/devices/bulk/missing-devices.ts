import { toCallboardError } from '../../../shared/session';

/**
 * For the sake of which devices the service refused to change several, all or none (contract 18.5): they are gone, or not in the
 * group that they shall leave. Empty where it was for another reason.
 */
export function missingDevices(thrown: unknown): readonly number[] {
  const { key, numbers } = toCallboardError(thrown);
  return key === 'UNKNOWN_DEVICES' ? numbers : [];
}
