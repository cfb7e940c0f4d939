import { randomUUID } from 'node:crypto';
import { FaultHarness } from '../support/fault-harness';
import { EventReader } from '../support/event-reader';
import { connectRaw } from '../support/raw-sockets';
import { NEVER_MS, timingEnvironment } from '../support/timings';
import { signToken } from '../support/tokens';

const ROUNDS = 3;
const SENDERS = 16;

/** What became of a message: acknowledged, never answered, or cut off in the middle of its answer. */
interface Outcome {
  content: string;
  fate: 'acknowledged' | 'unanswered' | 'cut off';
}

describe('SIGTERM under load', () => {
  let fixture: FaultHarness;
  beforeAll(async () => {
    // However slow the machine is, requests in flight are answered before the process exits; then it exits, although the
    // clients keep their connections open.
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
      if (response === undefined) return { content, fate: 'unanswered' };
      const reply = await response.json().catch(() => undefined);
      const isWhole = (reply as { code?: number } | undefined)?.code === 0;
      return { content, fate: isWhole ? 'acknowledged' : 'cut off' };
    };
    const keepSending = async (): Promise<void> => {
      for (;;) {
        const outcome = await send();
        outcomes.push(outcome);
        if (outcome.fate !== 'acknowledged') return;
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
    const of = (fate: Outcome['fate']) => outcomes.filter((outcome) => outcome.fate === fate);
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
