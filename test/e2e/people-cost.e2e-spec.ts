import { newUserIds } from '../support/calls';
import { ChatUser } from '../support/messaging';
import { statementsOf } from '../support/statements';
import { createTestApp, type TestApp } from '../support/test-app';

describe('The number of statements with block checks', () => {
  let test: TestApp;
  let ann: ChatUser;
  let ben: ChatUser;
  beforeAll(async () => {
    test = await createTestApp({ env: { PRESENCE: 'off' } });
    [ann, ben] = (await ChatUser.signInAll(test.api, newUserIds(2))) as [ChatUser, ChatUser];
  });
  afterAll(() => test?.close());

  const countOf = async (act: () => Promise<unknown>): Promise<number> =>
    (await statementsOf(test, act)).length;
  const post = (url: string, body: object) => ann.api.post(url, body);

  it('is constant for messages, chats, groups, members and calls', async () => {
    const chats = '/api/messages/conversations';
    const open = () => post(chats, { type: 'single', peer_id: ben.id });
    const costs = {
      open: await countOf(open),
      again: await countOf(open),
      first: 0,
      next: 0,
      group: 0,
      add: 0,
      call: 0,
    };
    const chat = await ann.openSingle(ben.id);
    const send = () => ann.send(chat);
    costs.first = await countOf(send);
    costs.next = await countOf(send);
    costs.group = await countOf(() => post(chats, { type: 'group', name: 'G', member_ids: [ben.id] }));
    const group = await ann.createGroup();
    costs.add = await countOf(() => ann.add(group, ben.id));
    costs.call = await countOf(() => post('/api/calls', { callee_id: ben.id }));
    expect(costs).toEqual({ open: 10, again: 2, first: 8, next: 8, group: 10, add: 13, call: 8 });
  });
});
