import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

/** Creates a group of two users with a message of its owner. */
async function createGroup(
  stage: Stage,
  name: string,
): Promise<{ id: number; owner: Person; member: Person }> {
  const [owner, member] = [await stage.person({ name: '李雷' }), await stage.person({ name: '韩梅梅' })];
  const body = { type: 'group', name, member_ids: [member.id] };
  const { id } = await stage.request(owner.id, 'POST', '/api/messages/conversations', body);
  const message = { type: 'text', content: 'the words of the owner' };
  await stage.request(owner.id, 'POST', `/api/messages/conversations/${id}/messages`, message);
  return { id, owner, member };
}

test(
  'a conversation is found, and its messages are read only for a reason that the log keeps',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const { id, owner } = await createGroup(stage, 'Choir practice');
    const page = await stage.open(admin, `/admin/conversations?member=${owner.id}`);
    await page.getByRole('searchbox', { name: 'Group name' }).fill('choir');
    await expect(page).toHaveURL(/keyword=choir/);
    await page.getByRole('link', { name: 'Choir practice' }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByRole('img', { name: /Messages by day/ })).toBeVisible();
    await expect(drawer.getByRole('list', { name: 'Most active senders' })).toContainText('李雷');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await drawer.getByRole('tab', { name: 'Members' }).click();
    await expect(drawer.getByRole('row').filter({ hasText: '李雷' })).toContainText('Owner');

    await drawer.getByRole('tab', { name: 'Messages' }).click();
    await expect(drawer.getByText('the words of the owner')).toHaveCount(0);
    await drawer.getByRole('button', { name: 'Read messages' }).click();
    await expect(drawer.getByText('Enter a reason of at least 5 characters.')).toBeVisible();
    await drawer.getByRole('textbox', { name: 'Reason' }).fill('Complaint 4711');
    await page.keyboard.press('Enter');
    await expect(drawer.getByRole('listitem').filter({ hasText: 'the words of the owner' })).toContainText(
      '李雷',
    );
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await drawer.getByRole('tab', { name: 'Audit' }).click();
    const entry = drawer.getByRole('listitem').filter({ hasText: 'Messages read by an administrator' });
    await expect(entry).toContainText('Complaint 4711');
    const { items } = await stage.requestAsAdmin(
      'GET',
      `/api/admin/audit?object_type=conversation&object_id=${id}`,
    );
    expect(items).toMatchObject([
      { action: 'conversation.inspect', actor_name: admin.name, after: { reason: 'Complaint 4711' } },
    ]);
  },
);

test('a group is closed for its members, in the dark theme, on a phone, in Chinese', async ({
  stage,
  admin,
}) => {
  const { id, owner } = await createGroup(stage, '合唱团');
  const page = await stage.open(admin, `/admin/conversations?member=${owner.id}`, {
    options: { colorScheme: 'dark', locale: 'zh-CN', viewport: { width: 390, height: 844 } },
  });
  await page.getByRole('link', { name: '合唱团' }).click();
  const drawer = page.getByRole('dialog').first();
  await expect(drawer.getByRole('tab', { name: '统计' })).toBeVisible();
  await expect(drawer.getByRole('img', { name: /每日数量/ })).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await drawer.getByRole('button', { name: '关闭群聊' }).click();
  const question = page.getByRole('dialog').filter({ hasText: '全部 2 名成员' });
  await question.getByRole('button', { name: '关闭群聊' }).click();
  await expectToast(page, '已关闭 合唱团');
  await expect(page.getByRole('link', { name: '合唱团' })).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expect(stage.request(owner.id, 'GET', `/api/messages/conversations/${id}`)).rejects.toThrow('403');
});
