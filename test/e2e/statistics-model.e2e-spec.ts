import * as fc from 'fast-check';
import { CallDeadlines } from '../../src/calls/services/call-deadlines.job';
import { AbandonedConversationsService } from '../../src/messaging/services/abandoned-conversations.service';
import { createCall, newUserIds } from '../support/calls';
import { FakeClock } from '../support/fake-clock';
import { ChatUser } from '../support/messaging';
import { propertyRuns } from '../support/property-runs';
import { callFigures, countCalls, overview, advanceMinute, repairStatistics } from '../support/statistics';
import { createTestApp, type TestApp } from '../support/test-app';

/** Time zones, with a start some hours before a day that is not 24 hours long or starts at an unusual time. */
const ZONES = [
  ['Asia/Shanghai', '2026-01-31T12:00:00.000Z'],
  ['America/New_York', '2026-11-01T01:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-03T10:00:00.000Z'],
  ['Pacific/Chatham', '2026-04-04T08:00:00.000Z'],
  ['Africa/Cairo', '2026-04-23T18:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-31T15:00:00.000Z'],
] as const;

type Action =
  | { what: 'talk'; ring: number; seconds: number; media: 'audio' | 'video' }
  | { what: 'rejected' | 'cancelled' | 'expired' | 'send' | 'leave' | 'user' | 'walk' | 'route' }
  | { what: 'wait'; minutes: number };

const acts = fc.array(
  fc.oneof<fc.Arbitrary<Action>[]>(
    fc.record({
      what: fc.constant('talk' as const),
      ring: fc.integer({ min: 0, max: 59 }),
      seconds: fc.constantFrom(0, 10, 11, 60, 61, 300, 301, 1_800, 1_801),
      media: fc.constantFrom('audio', 'video'),
    }),
    fc.record({ what: fc.constantFrom('rejected', 'cancelled', 'expired') }),
    fc.record({ what: fc.constantFrom('send', 'send', 'leave', 'user', 'walk', 'route') }),
    fc.record({ what: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 300 }) }),
  ),
  { minLength: 15, maxLength: 25 },
);

/** The expected counts by `metric day`. */
class Expected {
  readonly #counts = new Map<string, number>();
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  }

  add(figure: string, at: Date, value = 1): void {
    const key = `${figure} ${this.#format.format(at)}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + value);
  }

  get all(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, value]) => value > 0));
  }
}

/** Performs actions in sequence and records the expected counts. */
class Traffic {
  readonly expected: Expected;
  #ann!: ChatUser;
  #group = 0;

  constructor(
    private readonly test: TestApp,
    zone: string,
  ) {
    this.expected = new Expected(zone);
  }

  async begin(): Promise<void> {
    [this.#ann] = (await this.#people(1)) as [ChatUser];
    this.#group = await this.#ann.createGroup();
  }

  async perform(act: Action): Promise<void> {
    const { test, expected } = this;
    const began = test.clock.now();
    switch (act.what) {
      case 'talk':
        return this.#talk(act);
      case 'rejected':
      case 'cancelled':
        this.#meet(3);
        await createCall(test.api, act.what);
        return expected.add(act.what, began);
      case 'expired':
        this.#meet(3);
        await createCall(test.api, 'ringing');
        test.clock.advance(60);
        await test.app.get(CallDeadlines).sweep();
        return expected.add('no_answer', began);
      case 'send':
        await this.#ann.send(this.#group);
        return expected.add('messages', began);
      case 'leave':
        await this.#ann.api.delete(`/api/messages/conversations/${this.#group}/members/${this.#ann.id}`);
        await test.app.get(AbandonedConversationsService).trim();
        this.#group = await this.#ann.createGroup();
        return;
      case 'user':
        return void (await this.#people(1));
      case 'walk':
        return advanceMinute(test);
      case 'route':
        return countCalls(test);
      default:
        return test.clock.advance(act.minutes * 60);
    }
  }

  async #talk({ ring, seconds, media }: Extract<Action, { what: 'talk' }>): Promise<void> {
    const { test, expected } = this;
    const began = test.clock.now();
    this.#meet(3);
    const fixture = await createCall(test.api, 'ringing', { media_type: media });
    test.clock.advance(ring);
    await fixture.perform(fixture.callee, 'accept', { terminal_id: 'phone' });
    test.clock.advance(seconds);
    await fixture.perform(fixture.caller, 'hangup');
    expected.add('answered', began);
    expected.add('ring_seconds', began, ring);
    expected.add('talk_seconds', began, seconds);
  }

  async #people(count: number): Promise<ChatUser[]> {
    this.#meet(count);
    return ChatUser.signInAll(this.test.api, newUserIds(count));
  }

  #meet(count: number): void {
    this.expected.add('new_users', this.test.clock.now(), count);
  }
}

/** Returns the counted metrics of the API. */
async function counted(test: TestApp): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const keep = (figure: string, day: string, value: number): void => {
    if (value > 0) found[`${figure} ${day}`] = value;
  };
  for (const { day, ...figures } of (await callFigures(test)).days)
    for (const name of ['answered', 'rejected', 'cancelled', 'no_answer', 'ring_seconds', 'talk_seconds'])
      keep(name, day, figures[name]);
  for (const { day, messages, new_users } of (await overview(test)).days) {
    keep('messages', day, messages);
    keep('new_users', day, new_users);
  }
  return found;
}

describe('Statistics after random operations', () => {
  it.each(ZONES)('are exact in %s, and equal after a recount', async (zone, start) => {
    await fc.assert(
      fc.asyncProperty(acts, async (happening) => {
        const test = await createTestApp({ env: { APP_TIMEZONE: zone }, clock: new FakeClock(start) });
        try {
          const traffic = new Traffic(test, zone);
          await traffic.begin();
          for (const act of happening) await traffic.perform(act);
          await countCalls(test);
          await advanceMinute(test);
          const counts = await counted(test);
          expect(counts).toEqual(traffic.expected.all);
          // The administrator who requests the counts is a new user, who is counted a minute later.
          expect(await repairStatistics(test)).toEqual([]);
          await test.query(
            `DELETE FROM stats_daily WHERE metric NOT IN ('messages.removed', 'active_users')`,
          );
          expect((await repairStatistics(test)).length).toBeGreaterThan(0);
          expect(await counted(test)).toEqual(counts);
        } finally {
          await test.close();
        }
      }),
      propertyRuns(2),
    );
  });
});
