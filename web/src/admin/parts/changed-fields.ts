/**
 * Returns the fields of a request body that differ from the body for the values that filled the form. Sending only these
 * keeps the changes that other administrators have made to other fields in the meantime.
 */
export function changedFields<T extends object>(body: T, before: T): Partial<T> {
  const isChanged = ([name, value]: [string, unknown]): boolean => !isSame(value, before[name as keyof T]);
  return Object.fromEntries(Object.entries(body).filter(isChanged)) as Partial<T>;
}

/** Compares two values. Lists are compared without their order, since forms order the selected options. */
function isSame(first: unknown, second: unknown): boolean {
  if (!Array.isArray(first) || !Array.isArray(second)) return first === second;
  return first.length === second.length && first.every((item) => second.includes(item));
}
