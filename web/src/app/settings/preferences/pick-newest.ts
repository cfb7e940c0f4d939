import type { PreferencesResponse } from '@callboard/client';

/** Returns the cached preferences if they are newer than the received ones: events and responses can arrive in any order. */
export const pickNewest = (
  cached: PreferencesResponse | undefined,
  received: PreferencesResponse,
): PreferencesResponse => (cached !== undefined && cached.version > received.version ? cached : received);
