import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startCallboard } from './callboard.mjs';

let callboard;
before(async () => {
  callboard = await startCallboard(fileURLToPath(new URL('seed.json', import.meta.url)));
});
beforeEach(() => callboard.reset());
after(() => callboard?.stop());

const unreadOf = async (user) => {
  const { items } = await callboard.as(user, 'GET', '/messages/conversations');
  return items.find(({ id }) => id === callboard.ids.team).unread_count;
};

test('a message is unread for the other members', async () => {
  await callboard.as('bob', 'POST', `/messages/conversations/${callboard.ids.team}/messages`, {
    type: 'text',
    content: 'Hello',
  });
  assert.equal(await unreadOf('carol'), 2);
});

test('each test starts with the seeded data', async () => {
  assert.equal(await unreadOf('carol'), 1);
});

test('an unanswered call ends after a minute', async () => {
  const { call_id } = await callboard.as('alice', 'POST', '/calls', { callee_id: callboard.users.bob.id });
  await callboard.advanceClock(61);
  const call = await callboard.as('alice', 'GET', `/calls/${call_id}`);
  assert.equal(call.end_reason, 'no_answer');
});
