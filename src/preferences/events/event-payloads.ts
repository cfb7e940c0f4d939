import type { PreferencesResponse } from '../dto/preferences.dto';

declare module '../../events/log/event-types' {
  interface EventPayloads {
    'preferences.updated': { preferences: PreferencesResponse };
  }
}
