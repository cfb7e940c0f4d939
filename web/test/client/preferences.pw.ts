import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';

const section = (page: Page) => page.getByRole('region', { name: 'Do not disturb and push notifications' });

test('preferences are saved at once, and followed by the other tab', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const options = { timezoneId: 'Asia/Shanghai' };
  const page = await stage.open(alice, '/settings', { options });
  const other = await stage.open(alice, '/settings', { options });
  const quiet = section(page).getByRole('checkbox', { name: 'Quiet hours', exact: true });
  await quiet.click();
  await expect(quiet).toBeFocused();
  await section(page).getByLabel('From').fill('21:30');
  await section(page).getByRole('button', { name: 'Sun' }).click();
  await expect(section(page).getByText('Time zone: Asia/Shanghai')).toBeVisible();
  await section(page).getByRole('checkbox', { name: 'Allow calls during quiet hours' }).click();
  await section(page).getByLabel('Push notifications show').selectOption('Names only');
  await section(page).getByRole('checkbox', { name: 'Push “Chat messages”' }).click();
  await expect(section(page).getByRole('checkbox', { name: 'Push “Chat messages”' })).toBeFocused();

  await expect(section(other).getByLabel('From')).toHaveValue('21:30');
  await expect(section(other).getByRole('button', { name: 'Sun' })).toHaveAttribute('aria-pressed', 'false');
  await expect(
    section(other).getByRole('checkbox', { name: 'Allow calls during quiet hours' }),
  ).not.toBeChecked();
  await expect(section(other).getByLabel('Push notifications show')).toHaveValue('names');
  await expect(section(other).getByRole('checkbox', { name: 'Push “Chat messages”' })).not.toBeChecked();
  await page.reload();
  await expect(quiet).toBeChecked();
  await expect(section(page).getByLabel('From')).toHaveValue('21:30');
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`do-not-disturb is started and ended on a phone, ${colorScheme}`, async ({ stage }) => {
    const alice = await stage.person({ name: 'Alice' });
    const page = await stage.open(alice, '/settings', {
      options: { colorScheme, viewport: { width: 390, height: 844 } },
    });
    await section(page).getByRole('button', { name: 'Until tomorrow, 8:00' }).click();
    await expect(section(page).getByText(/On until (tomorrow, )?\d+:\d\d/)).toBeVisible();
    await section(page).getByRole('checkbox', { name: 'Quiet hours', exact: true }).click();
    await expect(section(page).getByLabel('From')).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await section(page).getByRole('button', { name: 'Turn off' }).click();
    await expect(
      section(page).getByText(
        'Push notifications are silent, and calls don’t send any. Open pages still ring.',
      ),
    ).toBeVisible();
  });

test('do-not-disturb is shown as ended when its time has passed', async ({ stage }) => {
  const page = await stage.emptyTab(await stage.person());
  await page.clock.install();
  await page.goto('/settings');
  await section(page).getByRole('button', { name: 'For an hour' }).click();
  await expect(section(page).getByText(/On until /)).toBeVisible();
  await page.clock.fastForward('01:01:00');
  await expect(section(page).getByText('Push notifications are silent,')).toBeVisible();
  await expect(section(page).getByRole('button', { name: 'Turn off' })).toBeDisabled();
});
