import type { Plan } from '../seed/plan';
import { exchange, type Sent } from './exchange';
import { readsOf, writesOf } from './requests';
import type { Server } from './servers';

/**
 * Asks both servers the same; neither changes anything.
 * @throws {Error} at the first answer that is not the same, byte for byte
 */
export async function compareReads(service: Server, baseline: Server, plan: Plan): Promise<void> {
  for (const sent of readsOf(plan)) await compareAnswers(service, baseline, sent, new Date());
}

/**
 * Lets both servers do the same on the same data, and asks everybody concerned what it has led to.
 * @throws {Error} at the first answer that is not the same, byte for byte
 */
export async function compareWrites(service: Server, baseline: Server, plan: Plan): Promise<void> {
  const start = new Date();
  for (const sent of writesOf(plan)) await compareAnswers(service, baseline, sent, start);
}

async function compareAnswers(service: Server, baseline: Server, sent: Sent, start: Date): Promise<void> {
  const expected = await answersOf(service, sent, start);
  const actual = await answersOf(baseline, sent, start);
  if (actual !== expected)
    throw new Error(
      `${sent.method} ${sent.path} as user ${sent.user} ${JSON.stringify(sent.body ?? '')} is answered differently:
service  ${expected}
baseline ${actual}`,
    );
}

/** Of several at once, which may be answered in any order, all in one of their own. */
async function answersOf({ url }: Server, sent: Sent, start: Date): Promise<string> {
  const answers = await Promise.all(
    Array.from({ length: sent.times ?? 1 }, async () => JSON.stringify(await exchange(url, sent, start))),
  );
  return answers.toSorted().join('\n');
}
