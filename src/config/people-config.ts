import type { EnvReader } from './env-reader';

/** Configuration of the user directory, profiles and presence (API 9.1, 9.5). */
export interface PeopleConfig {
  /**
   * `exact`: users are found by complete account or id; `open`: also by part of the name; `off`: the directory is
   * disabled.
   */
  directory: 'exact' | 'open' | 'off';
  /** Whether users can change their own name and picture. */
  profileEditing: boolean;
  /** Whether users can see the presence of other users. */
  presence: boolean;
}

const SWITCH = ['on', 'off'] as const;

/**
 * Reads the variables for users. With demo data, users can be found by name, because visitors do not know the accounts.
 */
export const readPeople = (read: EnvReader, { hasDemoData }: { hasDemoData: boolean }): PeopleConfig => ({
  directory: read.oneOf('USER_DIRECTORY', ['exact', 'open', 'off'], hasDemoData ? 'open' : 'exact'),
  profileEditing: read.oneOf('PROFILE_EDITING', SWITCH, 'on') === 'on',
  presence: read.oneOf('PRESENCE', SWITCH, 'on') === 'on',
});
