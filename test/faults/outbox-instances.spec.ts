import { actEnvironment } from '../support/act-process';
import { FaultScene } from '../support/fault-scene';
import { eventually } from '../support/service-process';

const KILLS = 4;

/** What must have happened for each act of a type: the subjects, by a statement. */
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

describe('Acts of two instances under mixed load, one of which is killed again and again', () => {
  let scene: FaultScene;
  beforeAll(async () => {
    scene = await FaultScene.open({ instances: 2, env: actEnvironment() });
  });
  afterAll(() => scene?.close());

  const subjectsOf = async (sql: string): Promise<string[]> =>
    (await scene.query<{ subject: string }>(sql)).map(({ subject }) => subject).toSorted();

  it('are each routed once, and there is one for each thing that happened', async () => {
    let kills = 0;
    await scene.duringLoad(async () => {
      for (; kills < KILLS; kills += 1) {
        await scene.acknowledges(40);
        await scene.replace(kills % 2);
      }
    });
    await scene.traffic.endCalls();
    // The leases of the dead are over; those of the living may be, too: what they route they still route alone.
    await scene.query('UPDATE outbox SET due_at = created_at');
    const left = () => scene.query('SELECT id FROM outbox');
    expect(await eventually(left, (rows) => rows.length === 0)).toEqual([]);

    expect(
      await scene.query('SELECT event_id FROM routed_acts GROUP BY event_id HAVING COUNT(*) > 1'),
    ).toEqual([]);
    for (const [type, cause] of CAUSES) {
      const told = await subjectsOf(`SELECT subject FROM routed_acts WHERE type = '${type}'`);
      expect([type, told]).toEqual([type, await subjectsOf(cause)]);
    }
    const others = "type NOT IN ('user.updated', " + CAUSES.map(([type]) => `'${type}'`).join(', ') + ')';
    expect(await scene.query(`SELECT type FROM routed_acts WHERE ${others}`)).toEqual([]);
    expect(kills).toBe(4);
  });
});
