import { randomBytes } from 'node:crypto';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import type { Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

/** Creates users whose names begin with a word that no other test uses. */
async function createUsers(stage: Stage, total: number): Promise<string> {
  const word = `q${randomBytes(4).toString('hex')}`;
  for (let first = 0; first < total; first += 500) {
    const users = Array.from({ length: Math.min(500, total - first) }, (_, index) => ({
      external_id: `${word}-${first + index}`,
      name: `${word} ${String(first + index).padStart(3, '0')}`,
    }));
    await stage.requestAsAdmin('POST', '/api/admin/users/bulk', { users });
  }
  return word;
}

test(
  'all users that match the filters are changed in bulk, 500 per request, each with an audit row',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const word = await createUsers(stage, 520);
    const page = await stage.open(admin, `/admin/users?keyword=${word}`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(page.getByText('20 selected')).toBeVisible();
    await page.getByRole('button', { name: 'Select all 520 that match' }).click();
    await expect(page.getByText('All 520 that match are selected')).toBeVisible();
    await expect(page.getByRole('checkbox', { name: `Select ${word} 000` })).toBeChecked();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Disable' }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText('Disable 520 users?');
    await expect(question).toContainText('You stay as you are.');
    await question.getByRole('button', { name: 'Disable' }).click();
    await expectToast(page, '520 of 520 changed.');
    await expect(page.getByText(/that match are selected/)).toHaveCount(0);
    const off = await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${word}&status=0`);
    expect(off.pagination.total).toBe(520);
    const log = `/api/admin/audit?actor_type=user&actor_id=${admin.id}&action=user.bulk_update`;
    const { items } = await stage.requestAsAdmin('GET', log);
    expect(items.map(({ after }: { after: { affected: number } }) => after.affected)).toEqual([20, 500]);

    // Other filters end the selection: they match other users. The filters of before do not restore it.
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all 520 that match' }).click();
    const keyword = page.getByRole('searchbox', { name: 'Name or account' });
    await keyword.fill(`${word} 00`);
    await expect(page.getByText('20 selected')).toBeVisible();
    await expect(page.getByText('10 total', { exact: true })).toBeVisible();
    await keyword.fill(word);
    await expect(page.getByText('520 total', { exact: true })).toBeVisible();
    await expect(page.getByText('20 selected')).toBeVisible();
  },
);

test('a view with filters, order and columns is saved, applied and deleted; the density is kept', async ({
  stage,
  admin,
}) => {
  const word = await createUsers(stage, 3);
  const page = await stage.open(admin, `/admin/users?keyword=${word}&sort=-created_at&columns=id`);
  const open = () => page.getByRole('button', { name: 'View', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'View' });
  await open();
  await dialog.getByRole('textbox', { name: 'Name of the view' }).fill('Newest');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Newest', exact: true })).toBeVisible();
  await dialog.getByText('Compact').click();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('.list-small')).toBeVisible();

  await page.goto('/admin/users?role=admin');
  await expect(page.locator('.list-small')).toBeVisible();
  await open();
  await dialog.getByRole('button', { name: 'Newest', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`keyword=${word}`));
  await expect(page).not.toHaveURL(/role=/);
  await expect(page.getByText('3 total', { exact: true })).toBeVisible();
  await expect(page.getByRole('columnheader').filter({ hasText: /./ })).toHaveText(['Name', 'ID']);
  await open();
  await dialog.getByRole('button', { name: 'Delete the view Newest' }).click();
  await expect(dialog.getByRole('button', { name: 'Newest', exact: true })).toBeHidden();
});

test('a list shows its last page when the open page has become empty', async ({ stage, admin }) => {
  const word = await createUsers(stage, 21);
  const page = await stage.open(admin, `/admin/users?keyword=${word}&status=1&page=2`);
  const boxes = page.getByRole('checkbox', { name: `Select ${word}` });
  await expect(boxes).toHaveCount(1);
  await boxes.check();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(boxes).toHaveCount(20);
  await expect(page).toHaveURL(/status=1$/);
});

test('a change of all matching users that fails reports how many were changed before', async ({
  stage,
  admin,
}) => {
  const word = await createUsers(stage, 520);
  const page = await stage.open(admin, `/admin/users?keyword=${word}`, { mayLogErrors: /409/ });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all 520 that match' }).click();
  let requests = 0;
  await page.route('**/api/admin/users/matching*', (route) => {
    requests += 1;
    if (requests === 1) return route.continue();
    return route.fulfill({ status: 409, json: { code: 409, message: '操作冲突', data: null } });
  });
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('500 changed before the error. Try again to change the rest.')).toBeVisible();
  const off = await stage.requestAsAdmin('GET', `/api/admin/users?keyword=${word}&status=0`);
  expect(off.pagination.total).toBe(500);
});

test('a saved view with the default columns restores them after other columns were selected', async ({
  stage,
  admin,
}) => {
  const word = await createUsers(stage, 1);
  const page = await stage.open(admin, `/admin/users?keyword=${word}`);
  const header = page.getByRole('columnheader', { name: 'ID', exact: true });
  const dialog = page.getByRole('dialog', { name: 'View' });
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Name of the view' }).fill('Plain');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: 'ID', exact: true }).check();
  await expect(header).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Plain', exact: true }).click();
  await expect(header).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/admin/users\\?keyword=${word}$`));
  await page.reload();
  await expect(page.getByText('1 total', { exact: true })).toBeVisible();
  await expect(header).toHaveCount(0);
});

test('on a phone a list is cards, which are sorted and selected', async ({ stage, admin }) => {
  const word = await createUsers(stage, 3);
  const page = await stage.open(admin, `/admin/users?keyword=${word}`, {
    options: { viewport: { width: 390, height: 844 } },
  });
  const cards = page.locator('.cards').getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByTitle('Created, descending').click();
  await expect(page).toHaveURL(/sort=-created_at/);
  await expect(cards.first()).toContainText(`${word} 002`);
  await cards.first().getByRole('checkbox').check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(page.getByText('3 selected')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findAccessibilityViolations(page)).toEqual([]);
});
