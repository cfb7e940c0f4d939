import type { EnvReader } from './env-reader';

/** Who finds whom, and what people may tell of themselves (contract 16.1, 16.2). */
export interface PeopleConfig {
  /** `exact`: by a whole account or an id; `open`: also by a part of the name; `off`: nobody finds anybody. */
  directory: 'exact' | 'open' | 'off';
  /** Whether people change their own names and pictures. */
  profileEditing: boolean;
  /** Whether anybody is told who is there. */
  presence: boolean;
}

const SWITCH = ['on', 'off'] as const;

/** Reads everything about people. People of the demo data are found by name: their visitors do not know the accounts. */
export const readPeople = (read: EnvReader, { hasDemoData }: { hasDemoData: boolean }): PeopleConfig => ({
  directory: read.oneOf('USER_DIRECTORY', ['exact', 'open', 'off'], hasDemoData ? 'open' : 'exact'),
  profileEditing: read.oneOf('PROFILE_EDITING', SWITCH, 'on') === 'on',
  presence: read.oneOf('PRESENCE', SWITCH, 'on') === 'on',
});
