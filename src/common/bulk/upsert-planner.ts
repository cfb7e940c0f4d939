import { type BusinessError, invalidField } from '../errors/business-error';

/*
 * Plans a bulk upsert, whose rows are identified by a key. The rows are planned one after the other in the given order,
 * and each succeeds or fails independently. Pure.
 */

export type UpsertResult = 'created' | 'updated' | 'unchanged' | 'error';

/** One row of the input, or the error that makes it invalid. `key` is null if it is invalid itself. */
export type InputRow<Input> = { key: string; input: Input } | { key: string | null; error: BusinessError };

/** Planned change for one row. */
export type PlannedUpsert<Input, Existing> =
  | { result: 'created'; key: string; input: Input }
  | { result: 'updated' | 'unchanged'; key: string; existing: Existing; input: Input }
  | { result: 'error'; key: string | null; existing?: Existing; error: BusinessError };

/** Result for one row. */
export interface UpsertOutcome {
  key: string | null;
  id: number | null;
  result: UpsertResult;
  error?: BusinessError;
}

export interface UpsertRules<Input, Existing> {
  /** Field of the key, for the error of a repeated key. */
  keyField: string;
  /** Existing objects by key. */
  existing: ReadonlyMap<string, Existing>;
  /** Returns the error of a row; undefined if it is valid. */
  validate: (input: Input, existing: Existing | undefined) => BusinessError | undefined;
  /** Remembers the effects of a valid row on the validation of later rows. */
  accept: (input: Input, existing: Existing | undefined) => void;
  /** Whether the object already has all values of the input. */
  matches: (existing: Existing, input: Input) => boolean;
}

/**
 * Plans the change for each row, in the given order. Only the first row with a key can succeed; a row after it is an
 * error even if the first one failed.
 * @param seen keys of earlier parts of the input; those of `rows` are added
 */
export function planUpserts<Input, Existing>(
  rows: readonly InputRow<Input>[],
  { keyField, existing: existingByKey, validate, accept, matches }: UpsertRules<Input, Existing>,
  seen = new Set<string>(),
): PlannedUpsert<Input, Existing>[] {
  return rows.map((row): PlannedUpsert<Input, Existing> => {
    const { key } = row;
    const isRepeated = key !== null && seen.has(key);
    if (key !== null) seen.add(key);
    if ('error' in row) return { result: 'error', key, error: row.error };
    const { input } = row;
    const existing = existingByKey.get(row.key);
    const error = isRepeated ? invalidField(keyField, 'invalid') : validate(input, existing);
    if (error !== undefined) return { result: 'error', key, existing, error };
    accept(input, existing);
    if (existing === undefined) return { result: 'created', key: row.key, input };
    const result = matches(existing, input) ? 'unchanged' : 'updated';
    return { result, key: row.key, existing, input };
  });
}

/** @param createdIds ids of the created objects by key */
export function toUpsertOutcome(
  step: PlannedUpsert<unknown, { id: number }>,
  createdIds: ReadonlyMap<string, number>,
): UpsertOutcome {
  const { key, result } = step;
  if (result === 'created') return { key, result, id: createdIds.get(key) ?? null };
  const id = step.existing?.id ?? null;
  return step.result === 'error' ? { key, result, id, error: step.error } : { key, result, id };
}

type UpsertCounts = Record<'created' | 'updated' | 'unchanged' | 'failed', number>;

/** Counts the results by kind. */
export function countUpserts(outcomes: readonly Pick<UpsertOutcome, 'result'>[]): UpsertCounts {
  const counts = { created: 0, updated: 0, unchanged: 0, error: 0 };
  for (const { result } of outcomes) counts[result] += 1;
  const { error: failed, ...succeeded } = counts;
  return { ...succeeded, failed };
}
