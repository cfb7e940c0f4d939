/** The columns that a request sets: fields left out of it are undefined and stay as they are. */
export function sentFields<Columns extends object>(columns: Columns): Partial<Columns> {
  const sent = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<Columns>;
}
