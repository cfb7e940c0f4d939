import type { EntityManager } from 'typeorm';
import { inChunks } from '../../common/concurrency/chunks';
import {
  excluded,
  insertIgnore,
  onConflictUpdate,
  placeholders,
  type RawTimestamp,
  toDateOrNull,
  tupleList,
  tuples,
} from '../../database/sql/dialect';
import { deleteRows, findRows, lockRows, updateRows } from '../../database/sql/statements';
import { PreferenceTypeEntity } from '../entities/preference-type.entity';
import { PreferencesEntity } from '../entities/preferences.entity';
import type { Preview, PushRules, TypeChoice } from '../rules/preferences.rules';
import type { QuietHours } from '../rules/quiet-hours.rules';

/** The columns of a row. */
export type PreferencesRow = { [Name in keyof PreferencesEntity]: PreferencesEntity[Name] };

/** The stored preferences of a user. */
export interface StoredPreferences {
  row: PreferencesRow;
  types: ReadonlyMap<string, TypeChoice>;
}

/** Preferences of a user who has not changed any. */
export const defaultRow = (user_id: number): PreferencesRow => ({
  user_id,
  version: 0,
  dnd_until: null,
  quiet_hours: null,
  calls_when_quiet: true,
  preview: 'full',
});

/** Parses stored quiet hours. */
export const quietHoursOf = (stored: string | null): QuietHours | null =>
  stored === null ? null : (JSON.parse(stored) as QuietHours);

/** Returns the preferences of a user. Two statements; `lockPreferences` returns both as of one point in time. */
export async function readPreferences(em: EntityManager, userId: number): Promise<StoredPreferences> {
  const [row] = await findRows(em, PreferencesEntity, { user_id: userId });
  return { row: row ?? defaultRow(userId), types: await readTypes(em, userId) };
}

/** Locks the preferences of a user until the commit, and returns them. Stores the default ones if there are none. */
export async function lockPreferences(em: EntityManager, userId: number): Promise<StoredPreferences> {
  await em.query(
    `${insertIgnore(em)} INTO preferences (user_id, version, calls_when_quiet, preview) VALUES (?, 0, 1, 'full')`,
    [userId],
  );
  const [row] = await lockRows(em, PreferencesEntity, { user_id: userId });
  return { row: row ?? defaultRow(userId), types: await readTypes(em, userId) };
}

async function readTypes(em: EntityManager, user_id: number): Promise<Map<string, TypeChoice>> {
  const rows = await findRows(em, PreferenceTypeEntity, { user_id });
  return new Map(rows.map(({ type, in_app, push }) => [type, { in_app, push }]));
}

/** Stores locked preferences. */
export async function storePreferences(
  em: EntityManager,
  { user_id, ...row }: PreferencesRow,
): Promise<void> {
  await updateRows(em, PreferencesEntity, { user_id }, row);
}

/** Stores the choices for types of a user whose preferences are locked. Null deletes a choice. */
export async function storeTypeChoices(
  em: EntityManager,
  userId: number,
  choices: ReadonlyMap<string, TypeChoice | null>,
): Promise<void> {
  const deleted = [...choices].filter(([, choice]) => choice === null).map(([type]) => type);
  if (deleted.length > 0) await deleteRows(em, PreferenceTypeEntity, { user_id: userId, type: deleted });
  const stored = [...choices].flatMap(([type, choice]) => (choice === null ? [] : [{ type, ...choice }]));
  if (stored.length === 0) return;
  await em.query(
    `INSERT INTO preference_types (user_id, type, in_app, push) VALUES ${tuples(stored, '?, ?, ?, ?')}
     ${onConflictUpdate(
       em,
       ['user_id', 'type'],
       `in_app = ${excluded(em, 'in_app')}, push = ${excluded(em, 'push')}`,
     )}`,
    stored.flatMap(({ type, in_app, push }) => [userId, type, Number(in_app), Number(push)]),
  );
}

interface RulesRow {
  user_id: number;
  dnd_until: RawTimestamp | null;
  quiet_hours: string | null;
  calls_when_quiet: number | boolean;
  preview: Preview;
  push: number | boolean | null;
}

/**
 * Returns the preferences that decide about pushes of a type, by user id. Users who have not changed any are absent. One
 * statement for up to 500 users.
 */
export async function readPushRules(
  em: EntityManager,
  userIds: readonly number[],
  type: string | undefined,
): Promise<Map<number, PushRules>> {
  const rules = new Map<number, PushRules>();
  for (const chunk of inChunks([...userIds])) {
    const rows = await em.query<RulesRow[]>(
      `SELECT p.user_id, p.dnd_until, p.quiet_hours, p.calls_when_quiet, p.preview, t.push
       FROM preferences p LEFT JOIN preference_types t ON t.user_id = p.user_id AND t.type = ?
       WHERE p.user_id IN (${placeholders(chunk)})`,
      [type ?? '', ...chunk],
    );
    for (const { user_id, dnd_until, quiet_hours, calls_when_quiet, preview, push } of rows)
      rules.set(user_id, {
        dndUntil: toDateOrNull(dnd_until),
        quietHours: quietHoursOf(quiet_hours),
        callsWhenQuiet: Boolean(calls_when_quiet),
        preview,
        push: push === null ? true : Boolean(push),
      });
  }
  return rules;
}

/** SQL expression: 1 if a user keeps any type of notifications out of the inbox, otherwise 0. One look-up by key. */
export const filtersInbox = (user: string): string =>
  `EXISTS (SELECT 1 FROM preference_types f WHERE f.user_id = ${user} AND f.in_app = 0)`;

/** A user and a type of notifications. */
export interface UserType {
  userId: number;
  type: string;
}

/** Returns `user:type` of those of the given pairs that the user keeps out of the inbox. */
export async function typesKeptOut(em: EntityManager, pairs: readonly UserType[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const chunk of inChunks([...pairs])) {
    const rows = await em.query<{ user_id: number; type: string }[]>(
      `SELECT user_id, type FROM preference_types
       WHERE (user_id, type) IN ${tupleList(em, chunk, '?, ?')} AND in_app = 0`,
      chunk.flatMap(({ userId, type }) => [userId, type]),
    );
    for (const { user_id, type } of rows) found.add(keyOf({ userId: user_id, type }));
  }
  return found;
}

/** Identifies a pair among those of `typesKeptOut`. */
export const keyOf = ({ userId, type }: UserType): string => `${userId}:${type}`;
