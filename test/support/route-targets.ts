import type { Scene } from './authorisation-table';

/** Queries of routes that need one. */
const QUERIES: Record<string, (fixture: Scene) => string> = {
  'GET /api/users': () => '?keyword=una',
  'GET /api/messages/search': () => '?keyword=una',
  // Matches no user, so that the users of the table stay as they are.
  'PUT /api/admin/users/matching': () => '?external_id=unknown',
  'GET /api/presence': ({ conversation }) => `?conversation_id=${conversation}`,
  'GET /api/presence/stream': ({ conversation }) => `?conversation_id=${conversation}`,
};

/** Values of path parameters; the first match applies. */
const PARAMETERS: [place: RegExp, value: (fixture: Scene) => number | string][] = [
  [/:callId/, ({ call }) => call],
  [/:userId/, ({ member }) => member],
  [/(?<=\/admin\/conversations\/):id/, ({ conversation }) => conversation],
  [/(?<=\/messages\/conversations\/):id/, ({ conversation }) => conversation],
  [/(?<=\/messages\/):id/, ({ message }) => message],
  [/(?<=\/notifications\/):id/, ({ notification }) => notification],
  [/(?<=\/announcements\/):id/, ({ announcement }) => announcement],
  [/(?<=\/device-groups\/):id/, ({ group }) => group],
  [/(?<=\/targets\/):id/, () => 1],
  [/(?<=\/devices\/):id/, ({ device }) => device],
  [/(?<=\/users\/):id/, ({ outsider: friend }) => friend],
  [/(?<=\/keys\/):id/, ({ key }) => key],
  [/(?<=\/webhooks\/):id/, ({ webhook }) => webhook],
  [/:deliveryId/, ({ delivery }) => delivery],
  [/(?<=\/sessions\/):(id|sessionId)/, () => 1],
  [/(?<=\/docs\/)\*/, () => 'swagger-ui.css'],
  [/(?<=\/assets\/)\*/, () => 'client-DGqkqiTx.js'],
  [/(?<=\/icons\/)\*/, () => 'icon-192.png'],
  [/(?<=^\/\w+\/)\*$/, () => 'deep'],
  [/(?<=\/api\/)\*/, () => 'nothing'],
];

const fillIn = (path: string, fixture: Scene): string =>
  PARAMETERS.reduce(
    (resolvePath, [place, value]) => resolvePath.replace(place, String(value(fixture))),
    path,
  );

/** Returns the path of a route, filled in. */
export const targetOf = (route: string, fixture: Scene): string =>
  fillIn(route.split(' ')[1] ?? '', fixture) + (QUERIES[route]?.(fixture) ?? '');
