import type { Page, Response } from '@playwright/test';
import { expect, provideService, START_MS, test as journey } from './support/journey';
import { PASSWORD, type Person } from './support/stage';

/**
 * Runs against a service that responds 200 to every request (`always_200`): only the code in the body indicates an
 * error.
 */
const test = journey.extend<{ statuses: Set<number>; visit: (path: string) => Promise<Page> }>({
  service: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from the destructuring
    async ({}, provide) => provideService({ HTTP_STATUS_MODE: 'always_200' }, provide),
    { scope: 'worker', timeout: START_MS },
  ],
  // oxlint-disable-next-line no-empty-pattern -- see above
  statuses: async ({}, provide) => {
    const statuses = new Set<number>();
    await provide(statuses);
    expect([...statuses]).toEqual([200]);
  },
  visit: async ({ stage, statuses }, provide) =>
    provide(async (path) => {
      const page = await stage.guest(path);
      page.on('response', (response: Response) => {
        if (new URL(response.url()).pathname.startsWith('/api/')) statuses.add(response.status());
      });
      return page;
    }),
});

async function logIn(page: Page, { account }: Person): Promise<void> {
  const submit = page.getByRole('button', { name: 'Log in', exact: true });
  await page.getByRole('textbox', { name: 'Account' }).fill(account);
  await page.getByLabel('Password', { exact: true }).fill('a wrong one');
  await submit.click();
  await expect(page.getByText('Incorrect account or password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await submit.click();
}

const ended = (page: Page) => page.getByRole('dialog', { name: /^Your session has ended/ });

/** Logs in again in the dialog above the previous screen. */
async function comesBack(page: Page): Promise<void> {
  const again = ended(page);
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await again.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(again).toBeHidden();
}

test('the client shows a wrong password, a field error, a missing object and an ended session', async ({
  stage,
  visit,
}) => {
  const alice = await stage.person({ name: 'Alice' });
  const page = await visit('/settings');
  await logIn(page, alice);
  const name = page.getByRole('textbox', { name: 'Name' });
  const save = page.getByRole('button', { name: 'Save' }).first();
  const picture = page.getByRole('textbox', { name: 'Picture' });
  await picture.fill('javascript:alert(1)');
  await save.click();
  await expect(picture).toHaveAccessibleDescription(/Is invalid$/);
  await expect(name).toHaveValue('Alice');
  await picture.fill('');

  await page.goto('/contacts?person=999999999');
  await expect(page.getByRole('alert')).toContainText(/Request \S+/);
  await page.goto('/calls/999999999');
  await expect(page.getByRole('alert')).toContainText(/Request \S+/);

  await stage.requestAsAdmin('DELETE', `/api/admin/users/${alice.id}/sessions`);
  // The dialog opens by itself: the event stream ends with the session.
  await comesBack(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(name).toHaveValue('Alice');
  await name.fill('Alice Winter');
  await save.click();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Alice Winter' })).toBeVisible();
});

test('the panel shows a wrong password, a field error, a missing object and an ended session', async ({
  stage,
  admin,
  visit,
}) => {
  const page = await visit('/admin/users');
  await logIn(page, admin);
  await page.getByRole('button', { name: 'New user' }).click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByRole('textbox', { name: 'Account' }).fill(admin.account);
  await form.getByRole('textbox', { name: 'Password' }).fill('1234567');
  await form.getByRole('textbox', { name: 'Name' }).fill('Wang Fang');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(
    /at least 8 characters/,
  );
  await form.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Create' }).click();
  // A conflict has the code 409 instead of 422.
  await expect(form.getByRole('textbox', { name: 'Account' })).toHaveAccessibleDescription(
    /^This account is taken/,
  );

  for (const [path, advice] of [
    ['users?user', 'The link may be outdated or the ID mistyped.'],
    ['devices?device', 'It may have been deleted.'],
    ['conversations?conversation', 'It may have been closed.'],
    ['calls?call', 'It may be older than the retention period.'],
    ['announcements?announcement', 'Close this and select another one.'],
  ] as const) {
    await page.goto(`/admin/${path}=999999999`);
    await expect(page.getByText(advice)).toBeVisible();
  }

  // Disables periodic refetches, so that only the log-in below can cause requests.
  await page.addInitScript(() => {
    const start = window.setInterval.bind(window);
    window.setInterval = ((act: TimerHandler, ms = 0) =>
      ms >= 30_000 ? 0 : start(act, ms)) as typeof setInterval;
  });
  await page.goto('/admin/users');
  await expect(page.getByRole('link', { name: admin.name })).toBeVisible();
  await stage.requestAsAdmin('DELETE', `/api/admin/users/${admin.id}/sessions`);
  await page.getByRole('searchbox', { name: 'Name or account' }).fill(admin.account);
  // The service may accept the session for ten more seconds: the list is refetched until it does not.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return ended(page).isVisible();
    })
    .toBe(true);
  await comesBack(page);
  await expect(page.getByText('1 total', { exact: true })).toBeVisible();
});
