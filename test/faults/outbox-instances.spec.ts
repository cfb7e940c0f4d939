import { undispatchedTo } from '../support/domain-events';
import { outboxEnvironment } from '../support/outbox-process';
import { FaultHarness } from '../support/fault-harness';
import { eventually } from '../support/service-process';

const KILLS = 4;

/** Statements that select the subjects of which a domain event of each type must exist. */
const CAUSES: [type: string, sql: string][] = [
  ['user.created', "SELECT CONCAT('user:', id) AS subject FROM users"],
  ['conversation.created', "SELECT CONCAT('conversation:', id) AS subject FROM conversations"],
  ['message.created', "SELECT CONCAT('message:', id) AS subject FROM messages"],
  [
    'call.created',
    "SELECT CONCAT('call:', id) AS subject FROM calls WHERE COALESCE(end_reason, '') <> 'busy'",
  ],
  ['call.answered', "SELECT CONCAT('call:', id) AS subject FROM calls WHERE accepted_at IS NOT NULL"],
  ['call.ended', "SELECT CONCAT('call:', id) AS subject FROM calls WHERE ended_at IS NOT NULL"],
  ['device.created', "SELECT CONCAT('device:', id) AS subject FROM devices"],
  [
    'notification.sent',
    `SELECT CONCAT('announcement:', id) AS subject FROM announcements WHERE recipients > 0
     UNION ALL SELECT 'notification' FROM notifications WHERE type = 'system' AND announcement_id IS NULL`,
  ],
];

describe('Domain events of two instances under mixed load, one of which is killed repeatedly', () => {
  let fixture: FaultHarness;
  beforeAll(async () => {
    fixture = await FaultHarness.open({ instances: 2, env: outboxEnvironment() });
  });
  afterAll(() => fixture?.close());

  const subjectsOf = async (sql: string): Promise<string[]> =>
    (await fixture.query<{ subject: string }>(sql)).map(({ subject }) => subject).toSorted();

  it('are each dispatched once, one for each change', async () => {
    let kills = 0;
    await fixture.underLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await fixture.untilAcknowledged(40);
        await fixture.replace(kills % 2);
      }
    });
    await fixture.traffic.endCalls();
    const left = () => fixture.query(`SELECT id FROM domain_events WHERE ${undispatchedTo('recorder')}`);
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);

    expect(
      await fixture.query('SELECT event_id FROM dispatched_events GROUP BY event_id HAVING COUNT(*) > 1'),
    ).toEqual([]);
    for (const [type, cause] of CAUSES) {
      const dispatched = await subjectsOf(`SELECT subject FROM dispatched_events WHERE type = '${type}'`);
      expect([type, dispatched]).toEqual([type, await subjectsOf(cause)]);
    }
    const others = "type NOT IN ('user.updated', " + CAUSES.map(([type]) => `'${type}'`).join(', ') + ')';
    expect(await fixture.query(`SELECT type FROM dispatched_events WHERE ${others}`)).toEqual([]);
    expect(kills).toBe(4);
  });
});
