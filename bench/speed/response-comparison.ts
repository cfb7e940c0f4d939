import type { Plan } from '../seed/plan';
import { exchange, type RequestSpec } from './exchange';
import { readsOf, writesOf } from './requests';
import type { Server } from './servers';

/**
 * Sends the same reads to both servers and compares the responses.
 * @throws {Error} at the first response that differs in any byte
 */
export async function compareReads(service: Server, baseline: Server, plan: Plan): Promise<void> {
  for (const sent of readsOf(plan)) await compareResponses(service, baseline, sent, new Date());
}

/**
 * Sends the same writes to both servers on the same data, and compares the state that every affected user sees
 * afterwards.
 * @throws {Error} at the first response that differs in any byte
 */
export async function compareWrites(service: Server, baseline: Server, plan: Plan): Promise<void> {
  const start = new Date();
  for (const sent of writesOf(plan)) await compareResponses(service, baseline, sent, start);
}

/** @throws {Error} if the response of another server differs in any byte */
export async function compareResponses(
  service: Server,
  other: Server,
  sent: RequestSpec,
  start: Date,
): Promise<void> {
  const expected = await responsesOf(service, sent, start);
  const actual = await responsesOf(other, sent, start);
  if (actual !== expected)
    throw new Error(
      `${sent.method} ${sent.path} as user ${sent.user} ${JSON.stringify(sent.body ?? '')} is answered differently:
${service.name}: ${expected}
${other.name}: ${actual}`,
    );
}

/** Returns the responses as one text. Those of concurrent requests, which may come in any order, are sorted. */
async function responsesOf({ url }: Server, sent: RequestSpec, start: Date): Promise<string> {
  const responses = await Promise.all(
    Array.from({ length: sent.times ?? 1 }, async () => JSON.stringify(await exchange(url, sent, start))),
  );
  return responses.toSorted().join('\n');
}
