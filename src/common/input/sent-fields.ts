/** Returns only the fields that a request has sent. Omitted fields are undefined and must keep their stored values. */
export function sentFields<Fields extends object>(fields: Fields): Partial<Fields> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent) as Partial<Fields>;
}
