/*
 * A client that uses only the types that openapi-typescript generates from /docs-json (`./paths`): the compiler checks paths,
 * query parameters and responses, and no generated code exists at run time.
 */
import type { components, paths } from './paths';

type Get = { [Path in keyof paths]: paths[Path] extends { get: object } ? Path : never }[keyof paths];
type Operation<Path extends Get> = paths[Path] extends { get: infer Found extends object } ? Found : never;
type Query<Path extends Get> =
  Operation<Path> extends { parameters: { query?: infer Found } } ? Found : never;
type Success<Path extends Get> =
  Operation<Path> extends {
    responses: { 200: { content: { 'application/json': { data: infer Data } } } };
  }
    ? Data
    : never;

async function get<Path extends Get>(
  baseUrl: string,
  token: string,
  path: Path,
  query?: Query<Path>,
): Promise<Success<Path>> {
  const search = new URLSearchParams(query as Record<string, string> | undefined);
  const answer = await fetch(`${baseUrl}${path}?${search}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(((await answer.json()) as components['schemas']['ErrorResponse']).message);
  return ((await answer.json()) as { data: Success<Path> }).data;
}

/** Returns the names of a user's conversation partners, and the ids of the ended calls in the event log. */
export async function overview(baseUrl: string, token: string): Promise<object> {
  const { items, pagination } = await get(baseUrl, token, '/api/messages/conversations', { type: 'single' });
  const { items: events } = await get(baseUrl, token, '/api/events/poll', { after: 0, limit: 500 });
  // @ts-expect-error there is no such parameter
  await get(baseUrl, token, '/api/messages/conversations', { pages: 1 });
  return {
    names: items.map(({ name }) => name),
    isWhole: !pagination.has_more,
    calls: events.flatMap((event) => (event.type === 'call.ended' ? [event.call.call_id] : [])),
  };
}
