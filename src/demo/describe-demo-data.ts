import { type DemoPerson, PASSWORD } from './demo-people';

/** Returns the text printed after the first start: the demo users, and commands to paste into a terminal. */
export function describeDemoData(
  people: DemoPerson[],
  { port, hasPages }: { port: number; hasPages: boolean },
): string {
  const [admin, alice, bob] = people;
  if (!admin || !alice || !bob) return '';
  const base = `http://localhost:${port}`;
  const intro = [
    '',
    `  Demo data: ${people.map(({ id, account }) => `${account} (user ${id})`).join(', ')}; the password is ${PASSWORD}.`,
    ...(hasPages ? [`  Log in at ${base}, administrators at ${base}/admin.`] : []),
    `  Every operation is described at ${base}/docs. DEMO_DATA=off starts without.`,
    '',
  ];
  if (!admin.token) return intro.join('\n');
  return [
    ...intro,
    `  ADMIN=${admin.token}`,
    `  ALICE=${alice.token}`,
    `  BOB=${bob.token}`,
    '',
    `  curl -s -H "Authorization: Bearer $ADMIN" ${base}/api/admin/device-groups/tree`,
    `  curl -s -H "Authorization: Bearer $ALICE" -H 'Content-Type: application/json' \\`,
    `       -d '{"callee_id": ${bob.id}, "media_type": "video"}' ${base}/api/calls`,
    `  curl -s -H "Authorization: Bearer $BOB" ${base}/api/calls/active`,
    `  curl -s -H "Authorization: Bearer $BOB" ${base}/api/notifications`,
    '',
  ].join('\n');
}
