import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';

const rows = (page: Page) => page.getByRole('main').getByRole('listitem');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Sends notifications one after another, so that the last one is the newest. */
async function notify(stage: Stage, person: Person, titles: string[], data?: object): Promise<void> {
  for (const title of titles)
    await stage.requestAsAdmin('POST', '/api/admin/notifications', {
      user_ids: [person.id],
      type: 'order',
      title,
      content: `What ${title} says`,
      data,
    });
}

test('a notification is archived and brought back, with the focus where it belongs', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, ['Parcel 1', 'Parcel 2', 'Parcel 3']);
  const page = await stage.open(alice, '/notifications');
  await expect(page).toHaveTitle('(3) Callboard');
  await button(page, 'Archive “Parcel 2”').focus();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(2);
  await expect(button(page, 'Parcel 1')).toBeFocused();
  await expect(page).toHaveTitle('(2) Callboard');
  await expect(page.getByText('Archived “Parcel 2”.')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await button(page, 'Undo').click();
  await expect(rows(page)).toHaveCount(3);
  await expect(button(page, 'Parcel 2')).toBeFocused();
  await expect(page).toHaveTitle('(3) Callboard');

  await button(page, 'Archive “Parcel 3”').click();
  await expect(rows(page)).toHaveCount(2);
  await button(page, 'Dismiss').click();
  await expect(button(page, 'Undo')).toHaveCount(0);
  await button(page, 'Archived').click();
  await expect(page).toHaveURL('/notifications?archived=1');
  await expect(rows(page)).toHaveCount(1);
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await button(page, 'Move “Parcel 3” to the inbox').click();
  await expect(page.getByText('Nothing is archived.')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(button(page, 'Parcel 3')).toBeFocused();
});

test('a notification is snoozed from a menu, and listed with the time', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, ['Parcel 1', 'Parcel 2']);
  const page = await stage.open(alice, '/notifications', {
    options: { viewport: { width: 390, height: 800 } },
  });
  await button(page, 'Snooze “Parcel 2”').click();
  await expect(page.getByRole('menuitem', { name: /^In an hour \(/ })).toBeFocused();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Snoozed “Parcel 2”.')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(button(page, 'Parcel 1')).toBeFocused();
  await button(page, 'Archived').click();
  await expect(rows(page)).toContainText(/Snoozed until /);
  await button(page, 'Move “Parcel 2” to the inbox').click();
  await button(page, 'All').click();
  await expect(rows(page)).toHaveCount(2);
  // Undo snoozes it again.
  await button(page, 'Undo').click();
  await expect(rows(page)).toHaveCount(1);
});

test('links of a notification lead into the app and to other sites', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  const actions = [
    { id: 'bill', label: 'Pay', url: 'https://shop.example/bill/7' },
    { id: 'settings', label: 'Open settings', url: '/settings' },
  ];
  await notify(stage, alice, ['Bill'], { actions });
  const page = await stage.open(alice, '/notifications');
  const pay = page.getByRole('link', { name: 'Pay (opens in a new tab)' });
  await expect(pay).toHaveAttribute('href', 'https://shop.example/bill/7');
  await expect(pay).toHaveAttribute('rel', 'noopener noreferrer');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(page).toHaveTitle('Callboard');
});

test('a slow undo keeps the offer to undo a later move', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice' });
  await notify(stage, alice, ['Parcel 1', 'Parcel 2', 'Parcel 3']);
  const page = await stage.open(alice, '/notifications');
  await button(page, 'Archive “Parcel 2”').click();
  await expect(rows(page)).toHaveCount(2);
  const restoring = Promise.withResolvers<void>();
  await page.route('**/api/notifications/*/archive', async (route) => {
    if (route.request().method() === 'DELETE') await restoring.promise;
    await route.continue();
  });
  await button(page, 'Undo').click();
  await button(page, 'Archive “Parcel 3”').click();
  await expect(page.getByText('Archived “Parcel 3”.')).toBeVisible();
  restoring.resolve();
  await expect(button(page, 'Parcel 2')).toBeVisible();
  await button(page, 'Undo').click();
  await expect(rows(page)).toHaveCount(3);
  await expect(button(page, 'Parcel 3')).toBeFocused();
});
