/** What of some fields a request has sent: those left out of it are undefined, and stay as they are. */
export function sentFields<Fields extends object>(fields: Fields): Partial<Fields> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<Fields>;
}
