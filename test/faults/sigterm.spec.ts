import { randomUUID } from 'node:crypto';
import { FaultHarness } from '../support/fault-harness';
import { EventReader } from '../support/event-reader';
import { connectRaw } from '../support/raw-sockets';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { signToken } from '../support/tokens';

const ROUNDS = 3;
const SENDERS = 16;

/** The outcome of a sent message; `cut off`: the response ended before its end. */
interface Outcome {
  content: string;
  result: 'acknowledged' | 'unanswered' | 'cut off';
}

describe('SIGTERM under load', () => {
  let fixture: FaultHarness;
  beforeAll(async () => {
    // Long enough for the slowest machine: the process exits as soon as the requests in flight are answered, although
    // the clients keep their connections open.
    const timings = { shutdownWithinMs: NEVER_MS, keepAliveMs: NEVER_MS };
    fixture = await FaultHarness.open({ env: timingEnvironment(timings) });
  });
  afterAll(() => fixture?.close());

  it('loses no acknowledged write, truncates no response, and performs no unacknowledged one', async () => {
    const group = fixture.traffic.conversations.at(-1);
    const [reader = 0, sender = 0] = group?.members ?? [];
    const path = `/api/messages/conversations/${group?.id}/messages`;
    const token = await signToken({ sub: String(sender) });
    const outcomes: Outcome[] = [];

    const send = async (): Promise<Outcome> => {
      const content = randomUUID();
      const response = await fetch(`${fixture.service.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'text', content }),
      }).catch(() => undefined);
      if (response === undefined) return { content, result: 'unanswered' };
      const reply = await response.json().catch(() => undefined);
      const isWhole = (reply as { code?: number } | undefined)?.code === 0;
      return { content, result: isWhole ? 'acknowledged' : 'cut off' };
    };
    const keepSending = async (): Promise<void> => {
      for (;;) {
        const outcome = await send();
        outcomes.push(outcome);
        if (outcome.result !== 'acknowledged') return;
      }
    };

    for (let round = 1; round <= ROUNDS; round += 1) {
      const stream = await EventReader.open(fixture.service.url, { userId: reader });
      const sending = Array.from({ length: SENDERS }, keepSending);
      await stream.atLeast(30);
      expect(await fixture.service.stop()).toBe(0);
      await Promise.all([...sending, stream.ended]);
      await fixture.replace(0);
    }

    const stored = new Set<string>();
    for (let page = 1, isMore = true; isMore; page += 1) {
      const { data } = await fixture.service.send(reader, 'GET', `${path}?per_page=100&page=${page}`);
      for (const { content } of data.items) stored.add(content);
      isMore = data.pagination.has_more;
    }
    const of = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result);
    expect(of('acknowledged').length).toBeGreaterThanOrEqual(90);
    expect(of('acknowledged').filter(({ content }) => !stored.has(content))).toEqual([]);
    expect(of('cut off')).toEqual([]);
    // Requests that were not accepted have changed nothing.
    expect(of('unanswered').filter(({ content }) => stored.has(content))).toEqual([]);
    expect(stored.size).toBe(of('acknowledged').length);
  });

  it('exits although a connection has not sent a request yet', async () => {
    const { closed } = await connectRaw(fixture.service.url);
    expect(await fixture.service.stop()).toBe(0);
    await closed;
  });
});
