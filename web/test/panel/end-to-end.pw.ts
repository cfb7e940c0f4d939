import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey';
import { PASSWORD } from '../support/stage';
import { ringing } from '../support/call';
import { makeSite, row } from './support/groups';

const word = `d${randomBytes(4).toString('hex')}`;

const go = (page: Page, screen: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();

/** Finds an object by its name in the command palette and opens it. */
async function find(page: Page, name: string, kind: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('listbox').getByRole('group', { name: kind, exact: true }).getByRole('option').click();
}

const drawer = (page: Page, text: string) => page.getByRole('dialog').filter({ hasText: text });

test('changes in the panel reach the affected user’s client', async ({ stage, admin }) => {
  const site = await makeSite(stage, []);
  const doors = [`Door ${word} 1`, `Door ${word} 2`] as const;
  for (const name of doors) await stage.requestAsAdmin('POST', '/api/admin/devices', { name });
  const ben = await stage.person({ name: 'Ben' });
  const page = await stage.open(admin, '/admin');

  // Creates a user, who logs in immediately.
  await go(page, 'Users');
  await page.getByRole('button', { name: 'New user' }).click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByRole('textbox', { name: 'Account' }).fill(word);
  await form.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await form.getByRole('textbox', { name: 'Name' }).fill('Wang Fang');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/user=\d+$/);
  const userId = Number(new URL(page.url()).searchParams.get('user'));
  await expect(drawer(page, 'Wang Fang').getByRole('tab', { name: 'Sessions' })).toBeVisible();
  await page.keyboard.press('Escape');
  const wang = await stage.guest('/notifications', { mayLogErrors: /status of 401/ });
  await wang.getByRole('textbox', { name: 'Account' }).fill(word);
  await wang.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await wang.keyboard.press('Enter');
  await expect(wang.getByText('No notifications yet.')).toBeVisible();

  // Adds two devices to a group.
  await go(page, 'Device groups');
  await row(page, site.name).click();
  for (const name of doors) {
    await page.getByRole('combobox', { name: 'Devices to add' }).fill(name);
    await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  for (const name of doors) await expect(page.getByRole('cell', { name, exact: true })).toBeVisible();
  await expect(row(page, site.name)).toHaveAccessibleDescription('2 devices including subgroups');

  // Sends an announcement to all users.
  await go(page, 'Announcements');
  await page.getByRole('button', { name: 'New announcement' }).click();
  const compose = drawer(page, 'New announcement');
  await compose.getByRole('radio', { name: 'Role' }).check();
  await compose.getByLabel('Title').fill(`Fire drill ${word}`);
  await compose.getByRole('textbox', { name: 'Content' }).fill('At ten.');
  await compose.getByRole('button', { name: 'Send' }).click();
  await drawer(page, 'It appears in their inboxes immediately').getByRole('button', { name: 'Send' }).click();
  await expect(drawer(page, 'Sent at').getByRole('article')).toContainText(word);
  const announced = wang.getByRole('listitem').filter({ hasText: `Fire drill ${word}` });
  await expect(announced).toBeVisible();
  await page.keyboard.press('Escape');

  // Watches a ringing call, and ends it.
  await go(page, 'Calls');
  const body = { callee_id: userId, media_type: 'video', terminal_id: 'desk' };
  const { call_id: id } = await stage.request(ben.id, 'POST', '/api/calls', body);
  await expect(ringing(wang)).toBeVisible();
  await page.getByRole('button', { name: `Call ${id}`, exact: true }).click();
  await drawer(page, 'Timeline').getByRole('button', { name: 'End call' }).click();
  const asking = page.getByRole('dialog', { name: `End call ${id}?` });
  await asking.getByLabel('Reason code (optional)').fill('drill');
  await asking.getByRole('button', { name: 'End call' }).click();
  await expect(ringing(wang)).toBeHidden();
  await expect(asking).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // All of it is in the audit log, newest first.
  await find(page, 'Audit', 'Pages');
  await expect(page).toHaveURL(/\/admin\/audit$/);
  const entries = page.getByRole('row');
  const mine = entries.filter({ has: page.getByRole('link', { name: admin.name, exact: true }) });
  await expect(mine.nth(0)).toContainText('Call ended');
  await expect(mine.nth(0)).toContainText('drill');
  await expect(mine.nth(1)).toContainText('Announcement sent');
  await expect(mine.nth(2)).toContainText(`${doors[0]}, ${doors[1]}`);
  await expect(mine.nth(3)).toContainText('User created');

  // Recalls the announcement, and ends a session that is in use.
  await go(page, 'Announcements');
  await page.getByRole('button', { name: `Fire drill ${word}` }).click();
  await drawer(page, 'Sent at').getByRole('button', { name: 'Withdraw' }).click();
  const withdrawing = page.getByRole('dialog', { name: `Withdraw “Fire drill ${word}”?` });
  await withdrawing.getByRole('button', { name: 'Withdraw' }).click();
  await expect(announced).toHaveCount(0);
  await expect(withdrawing).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await find(page, word, 'Users');
  await drawer(page, 'Wang Fang').getByRole('tab', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: /^End session Chrom/ }).click();
  await drawer(page, 'within 10 seconds').getByRole('button', { name: 'End', exact: true }).click();
  await expect(drawer(page, 'Wang Fang').getByText('No active sessions')).toBeVisible();
  await expect(wang.getByRole('dialog', { name: /^Your session has ended/ })).toBeVisible();
});
