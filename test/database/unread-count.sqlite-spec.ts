import { DataSource } from 'typeorm';
import { createTestApp } from '../support/test-app';
import { statementsOf } from '../support/statements';

describe('GET /api/messages/unread-count', () => {
  it('finds large groups and expired mutes without reading all of the user’s conversations', async () => {
    const test = await createTestApp();
    const user = await test.api.as({ id: 7 });
    const statements = await statementsOf(test, () => user.get('/api/messages/unread-count'));
    const statement = statements.find((sql) => sql.includes('mute_ends')) ?? '';
    const moment = '2026-01-31 08:00:00.000';
    const plan = await test.app
      .get(DataSource)
      .query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${statement}`, [7, 7, moment, 7, moment]);
    const steps = plan.map(({ detail }) => detail);
    const starts = steps.flatMap((step, index) => (step.startsWith('SCALAR SUBQUERY') ? [index] : []));
    expect(steps.slice((starts[1] ?? 0) + 1, (starts[1] ?? 0) + 3)).toEqual([
      expect.stringMatching(
        /^SEARCH m USING INDEX ix_conversation_members_list\w* \(user_id=\? AND pulled=\?\)$/,
      ),
      'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
    const expired = steps.slice(steps.findLastIndex((step) => step.startsWith('SCALAR SUBQUERY')) + 1);
    expect(expired.slice(0, 3)).toEqual([
      expect.stringMatching(/^SEARCH e USING /),
      'SEARCH m USING PRIMARY KEY (conversation_id=? AND user_id=?)',
      'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
    await test.close();
  });
});
