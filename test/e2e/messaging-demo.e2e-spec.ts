import { type DemoClient, demonstrateMessaging } from '../../scripts/demo/messaging';
import { ChatUser, dataOf } from '../support/messaging';
import { createTestApp } from '../support/test-app';

describe('The messaging demo', () => {
  it('shows a group on two screens', async () => {
    const test = await createTestApp({ env: { CHAT_NOTICES: 'members,calls' } });
    const play = async (id: number, name: string): Promise<DemoClient> => {
      const { api } = await ChatUser.signIn(test.api, id, name);
      return {
        id,
        get: async (path) => dataOf(await api.get(path)),
        post: async (path, body) => dataOf(await api.post(path, body)),
        put: async (path, body) => dataOf(await api.put(path, body)),
        delete: async (path) => dataOf(await api.delete(path)),
      };
    };
    const lines: string[] = [];
    const people: [DemoClient, DemoClient, DemoClient] = [
      await play(1, 'Ann'),
      await play(2, 'Ben'),
      await play(3, 'Cat'),
    ];
    await demonstrateMessaging(people, (line) => lines.push(line));
    expect(lines).toEqual([
      'Cat has not opened the group yet. Her list:',
      '  周末徒步  16:00  Ben: 我可能来不了  (3 unread)',
      'Ben recalls his message, and it is no longer unread:',
      '  周末徒步  16:00  Ben: Ben撤回了一条消息  (2 unread)',
      'Cat opens the group, which marks it read:',
      '  16:00  Ann: 周六八点,东门集合 🥾  (read by 2, unread by 0)',
      '  16:00  Ann: [图片]  (read by 2, unread by 0)',
      '  16:00  Ben撤回了一条消息',
      'The same on Ann’s screen, with the read count of each message:',
      '  周末徒步  16:00  Cat: [位置] 东门  (1 unread, one mentions you)',
      '  16:00  Ann: 周六八点,东门集合 🥾  (read by 2, unread by 0, first read 2026-01-31 16:00:00)',
      '  16:00  Ann: [图片]  (read by 2, unread by 0, first read 2026-01-31 16:00:00)',
      '  16:00  Ben撤回了一条消息',
      '  16:00  Cat: [位置] 东门 ↩ Ann: 周六八点,东门集合 🥾  (read by 1, unread by 1)',
      'Ann has 0 unread messages in all.',
      'Ben and Cat react to a picture, Ann renames the group, and Ben deletes the picture for himself. Cat sees:',
      '  16:00  Ann: 周六八点,东门集合 🥾  (read by 2, unread by 0)',
      '  16:00  Ann: [图片]  (read by 2, unread by 0)',
      '  16:00  Ben撤回了一条消息',
      '  16:00  Cat: [位置] 东门 ↩ Ann: 周六八点,东门集合 🥾  (read by 1, unread by 1, first read 2026-01-31 16:00:00)',
      '  16:00  Ann: [图片]  👍 2  (read by 1, unread by 1)',
      '  16:00  Ann将群名修改为“周末徒步 · 东山”',
      'Ben sees:',
      '  16:00  Ann: 周六八点,东门集合 🥾  (read by 2, unread by 0)',
      '  16:00  Ann: [图片]  (read by 2, unread by 0)',
      '  16:00  你撤回了一条消息',
      '  16:00  Cat: [位置] 东门 ↩ Ann: 周六八点,东门集合 🥾  (read by 2, unread by 0)',
      '  16:00  Ann: 消息已删除  (read by 2, unread by 0)',
      '  16:00  Ann将群名修改为“周末徒步 · 东山”',
      'After he has cleared the group:',
      '  周末徒步 · 东山  16:00  :   (0 unread)',
    ]);
    await test.close();
  });
});
