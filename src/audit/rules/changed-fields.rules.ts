import { canonicalJson } from '../../common/canonical-json';

/** Placeholder of a secret. Shows that the secret exists or was set again, and nothing of its value. */
export const SECRET = '***';

/** Maximum length of a text in the audit log, in characters, including the `…` of a cut text. */
const MAX_TEXT = 500;

/** Names of fields that contain secrets, at any depth. */
const IS_SECRET = /(^|_)(password|secret|token|key|salt|hash|authorization|credential)s?$/i;

/** Names of fields that contain URLs. Everything but the origin may be a secret. */
const IS_ADDRESS = /(^|_)url$/i;

/** Fields of an audited object; undefined fields are left out. */
export type AuditFields = Readonly<Record<string, unknown>>;

/** The fields of an audit entry. */
export interface FieldChanges {
  before: AuditFields | null;
  after: AuditFields | null;
}

/**
 * Returns the fields for an audit entry: the fields that differ, or all fields of a new or deleted object. Secrets
 * become `***` and long texts are cut (API 15.1).
 * @param before null for a new object
 * @param after null for a deleted object; both null for an action that changes no field
 * @returns undefined if both are given and nothing differs. A field that is `***` in both was set again, and counts as
 *   changed
 */
export function changedFields(
  before: AuditFields | null,
  after: AuditFields | null,
): FieldChanges | undefined {
  if (before === null || after === null)
    return { before: sanitizeFields(before), after: sanitizeFields(after) };
  const names = Object.keys({ ...before, ...after }).filter((name) => differs(before[name], after[name]));
  if (names.length === 0) return undefined;
  return { before: sanitizeFields(pick(before, names)), after: sanitizeFields(pick(after, names)) };
}

const differs = (old: unknown, current: unknown): boolean =>
  (old === SECRET && current === SECRET) || textOf(old) !== textOf(current);

const textOf = (value: unknown): string => canonicalJson(plain(value ?? null));

/** Converts a value as JSON does: dates become texts. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const pick = (fields: AuditFields, names: readonly string[]): AuditFields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

const sanitizeFields = (fields: AuditFields | null): AuditFields | null =>
  fields && (sanitize(plain(fields)) as AuditFields);

/** Returns a value without secrets and with long texts cut. */
function sanitize(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map(sanitize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sanitizeField(name, inner)]));
}

function sanitizeField(name: string, value: unknown): unknown {
  if (IS_SECRET.test(name) && value !== null) return SECRET;
  if (IS_ADDRESS.test(name) && typeof value === 'string' && URL.canParse(value))
    return `${new URL(value).origin}/${SECRET}`;
  return sanitize(value);
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed();
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT
    ? text.toWellFormed()
    : `${characters.slice(0, MAX_TEXT - 1).join('')}…`.toWellFormed();
}
