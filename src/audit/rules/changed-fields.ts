import { canonicalJson } from '../../common/canonical-json';

/** What stands for a secret: that it is there, or that it was set anew, and nothing of it. */
export const SECRET = '***';

/** Of a text in the audit log, in characters, with the `…` of one that was longer. */
const MAX_TEXT = 500;

/** Names of fields that hold secrets, at whatever depth. */
const IS_SECRET = /(^|_)(password|secret|token|key|salt|hash|authorization|credential)s?$/i;

/** Fields of something as the audit log has them; undefined ones are left out. */
export type AuditFields = Readonly<Record<string, unknown>>;

/** What a row says of a change. */
export interface FieldChanges {
  before: AuditFields | null;
  after: AuditFields | null;
}

/**
 * What was changed: of a change the fields that differ, of something new or deleted all of them; secrets as `***`, long
 * texts cut (contract 14.1, 15.2).
 * @param before null of something new
 * @param after null of something deleted; both null of an act that changes no field
 * @returns undefined where both are there and nothing differs. A field that is `***` in both was set anew: it differs
 */
export function changedFields(
  before: AuditFields | null,
  after: AuditFields | null,
): FieldChanges | undefined {
  if (before === null || after === null) return { before: shown(before), after: shown(after) };
  const names = Object.keys({ ...before, ...after }).filter((name) => differs(before[name], after[name]));
  if (names.length === 0) return undefined;
  return { before: shown(pick(before, names)), after: shown(pick(after, names)) };
}

const differs = (old: unknown, now: unknown): boolean =>
  (old === SECRET && now === SECRET) || textOf(old) !== textOf(now);

const textOf = (value: unknown): string => canonicalJson(plain(value ?? null));

/** As JSON will have it: dates are texts. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const pick = (fields: AuditFields, names: readonly string[]): AuditFields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

const shown = (fields: AuditFields | null): AuditFields | null =>
  fields && (presentable(plain(fields)) as AuditFields);

/** A value without secrets and long texts. */
function presentable(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map(presentable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      IS_SECRET.test(name) && inner !== null ? SECRET : presentable(inner),
    ]),
  );
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT) return text.toWellFormed();
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT
    ? text.toWellFormed()
    : `${characters.slice(0, MAX_TEXT - 1).join('')}…`.toWellFormed();
}
