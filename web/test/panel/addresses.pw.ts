import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test as journey } from '../support/journey';
import type { Person, Stage } from '../support/stage';
import { makeSite, row } from './support/groups';

const uniqueWord = (): string => `w${randomBytes(4).toString('hex')}`;

interface Stop {
  /** Start URL. */
  at: string;
  /** The user's action. */
  act: (page: Page) => Promise<unknown>;
  /** Checks the result, also for another administrator who opens the URL. */
  shows: (page: Page) => Promise<unknown>;
}

/**
 * `visit` opens a screen and performs an action. A reload must show the result, and so must the URL in another browser.
 */
const test = journey.extend<{ visit: (stop: Stop) => Promise<void> }>({
  visit: async ({ stage, admin }, provide) => {
    const page = await stage.open(admin, '/admin/health');
    const colleague = await stage.open(await stage.person({ role: 'admin' }), '/admin/health');
    await provide(async ({ at, act, shows }) => {
      await page.goto(at);
      await act(page);
      await shows(page);
      await page.reload();
      await shows(page);
      await colleague.goto(page.url());
      await shows(colleague);
    });
  },
});

/** Creates a call that has ended. */
async function aCall(stage: Stage): Promise<{ id: number; caller: Person }> {
  const [caller, callee] = [await stage.person({ name: 'Ada' }), await stage.person({ name: 'Ben' })];
  const body = { callee_id: callee.id, media_type: 'audio', terminal_id: 'desk' };
  const { call_id: id } = await stage.request(caller.id, 'POST', '/api/calls', body);
  await stage.request(caller.id, 'POST', `/api/calls/${id}/cancel`, {});
  return { id, caller };
}

async function chooseColumns(page: Page, changes: Record<string, boolean>): Promise<void> {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'View' });
  for (const [name, isOn] of Object.entries(changes))
    await dialog.getByRole('checkbox', { name, exact: true }).setChecked(isOn);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
}

/** Column headers of the list, without those of checkboxes. */
const columns = (page: Page) => page.getByRole('columnheader').filter({ hasText: /./ });
const drawer = (page: Page, text: string) => page.getByRole('dialog').filter({ hasText: text });

test('the URL contains the users screen: filters, order, page, columns, drawer, tab and form', async ({
  stage,
  visit,
}) => {
  const word = uniqueWord();
  const users = Array.from({ length: 21 }, (_, index) => ({
    external_id: `${word}-${index}`,
    name: `${word} ${index + 10}`,
  }));
  await stage.requestAsAdmin('POST', '/api/admin/users/bulk', { users });
  await visit({
    at: '/admin/users',
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Name or account' }).fill(word);
      await expect(page.getByText('21 total', { exact: true })).toBeVisible();
      await page.getByRole('columnheader').getByRole('button', { name: 'Created' }).click();
      await expect(page).toHaveURL(/sort=created_at/);
      await chooseColumns(page, { ID: true, Account: false, Role: false, Status: false });
      await page.getByRole('listitem', { name: '2', exact: true }).click();
      await page.getByRole('link', { name: `${word} 30` }).click();
      await page.getByRole('tab', { name: 'Sessions' }).click();
    },
    shows: async (page) => {
      await expect(drawer(page, `${word} 30`).getByRole('tab', { name: 'Sessions' })).toHaveAttribute(
        'aria-selected',
        'true',
      );
      await expect(page.getByRole('searchbox', { name: 'Name or account' })).toHaveValue(word);
      await expect(page.getByText('21 total', { exact: true })).toBeVisible();
      await expect(page.locator('tbody').getByRole('link')).toHaveText([`${word} 30`]);
      await expect(columns(page)).toHaveText(['Name', 'ID', 'Last seen', 'Created']);
      await expect(page.getByRole('columnheader', { name: 'Created' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
    },
  });
  await visit({
    at: '/admin/users',
    act: (page) => page.getByRole('button', { name: 'New user' }).click(),
    shows: (page) => expect(page.getByRole('dialog', { name: 'New user' })).toBeVisible(),
  });
});

test('columns: none; those of the URL before the stored ones, which stay; the default ones again', async ({
  stage,
  admin,
}) => {
  const page = await stage.open(admin, '/admin/devices');
  const all = ['Serial number', 'Groups', 'Status', 'Presence', 'Battery', 'Created'];
  await expect(columns(page)).toHaveText(['Name', ...all]);
  await chooseColumns(page, Object.fromEntries(all.map((name) => [name, false])));
  await expect(columns(page)).toHaveText(['Name']);
  await expect(page).toHaveURL(/columns=none$/);
  await page.goto('/admin/devices?columns=groups+id');
  await expect(columns(page)).toHaveText(['Name', 'ID', 'Groups']);
  await page.goto('/admin/health');
  await page.getByRole('link', { name: 'Devices' }).click();
  await expect(columns(page)).toHaveText(['Name']);
  await expect(page).toHaveURL(/columns=none$/);
  await chooseColumns(page, Object.fromEntries(all.map((name) => [name, true])));
  await expect(page).toHaveURL('/admin/devices');
  await page.reload();
  await expect(columns(page)).toHaveText(['Name', ...all]);
});

test('the URL contains the devices and groups screens: filters, columns, drawers, search and group', async ({
  stage,
  visit,
}) => {
  const word = uniqueWord();
  const site = await makeSite(stage, [`Hall ${word}`]);
  const hall = site.inside[`Hall ${word}`] ?? 0;
  const owner = await stage.person({ name: 'Ada' });
  const device = { name: `Door ${word}`, serial_no: word, user_id: owner.id };
  const { id } = await stage.requestAsAdmin('POST', '/api/admin/devices', device);
  await stage.requestAsAdmin('POST', `/api/admin/device-groups/${hall}/devices`, { device_ids: [id] });
  await visit({
    at: '/admin/devices',
    act: async (page) => {
      await page.getByRole('searchbox').first().fill(word);
      await expect(page.getByText('1 total', { exact: true })).toBeVisible();
      await chooseColumns(page, { Version: true, Created: false });
      await page.getByRole('link', { name: `Door ${word}` }).click();
    },
    shows: async (page) => {
      const link = drawer(page, `Door ${word}`).getByRole('link', { name: 'Calls and call quality' });
      await expect(link).toHaveAttribute('href', `/admin/calls?tab=history&user=${owner.id}`);
      await expect(page.getByText('1 total', { exact: true })).toBeVisible();
      await expect(columns(page)).toHaveText([
        'Name',
        'Serial number',
        'Groups',
        'Status',
        'Presence',
        'Version',
        'Battery',
      ]);
    },
  });
  for (const [button, dialog] of [
    ['New device', 'New device'],
    ['Import', 'Import'],
  ] as const)
    await visit({
      at: '/admin/devices',
      act: (page) => page.getByRole('button', { name: button }).click(),
      shows: (page) => expect(page.getByRole('dialog', { name: dialog })).toBeVisible(),
    });
  await visit({
    at: '/admin/groups',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Search groups by name' }).fill(word);
      await row(page, site.name).click();
      await page.getByRole('switch', { name: /subgroups/ }).click();
      await expect(page).toHaveURL(/below=1/);
    },
    shows: async (page) => {
      await expect(row(page, `Hall ${word}`)).toBeVisible();
      await expect(page.getByRole('treeitem')).toHaveCount(2);
      await expect(row(page, site.name)).toHaveAttribute('aria-selected', 'true');
      await expect(page.getByRole('cell', { name: `Door ${word}` })).toBeVisible();
    },
  });
});

test('the URL contains the calls, sessions and audit screens: tab, filters, user and entry', async ({
  stage,
  visit,
}) => {
  const { id, caller } = await aCall(stage);
  await aCall(stage);
  await visit({
    at: '/admin/calls',
    act: async (page) => {
      await page.getByText('History', { exact: true }).click();
      await page.getByRole('combobox', { name: 'User' }).fill(caller.account);
      await page.getByTitle(`Ada (${caller.account})`).click();
      await page.getByRole('button', { name: `Call ${id}`, exact: true }).click();
    },
    shows: async (page) => {
      await expect(drawer(page, 'Timeline')).toBeVisible();
      await expect(page.locator('tbody').getByRole('button', { name: /^Call \d+$/ })).toHaveCount(1);
      await expect(page.getByRole('search').getByText('Ada', { exact: true })).toBeVisible();
    },
  });
  await visit({
    at: '/admin/sessions',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'User' }).fill(caller.account);
      await page.getByRole('option', { name: `Ada (${caller.account})` }).waitFor({ state: 'attached' });
      await page.keyboard.press('Enter');
    },
    shows: (page) => expect(page.getByText('No active sessions')).toBeVisible(),
  });
  for (let edit = 1; edit <= 21; edit += 1)
    await stage.requestAsAdmin('PUT', `/api/admin/users/${caller.id}`, { name: `Ada ${edit}` });
  await visit({
    at: `/admin/audit?object_type=user&object_id=${caller.id}`,
    act: async (page) => {
      await page.getByLabel('From', { exact: true }).fill('2020-02-02');
      await page.getByRole('button', { name: 'Older' }).click();
    },
    shows: async (page) => {
      const entries = page.getByRole('row');
      await expect(entries.filter({ hasText: 'User created' })).toHaveCount(1);
      await expect(page.getByLabel('From', { exact: true })).toHaveValue('2020-02-02');
      await expect(page.getByRole('button', { name: 'Newest' })).toBeEnabled();
    },
  });
});

test('the URL contains the overview, announcements, webhooks, keys and health screens', async ({
  stage,
  visit,
}) => {
  const word = uniqueWord();
  const announcement = { role: 'admin', type: 'system', title: word, content: 'Hello' };
  await stage.requestAsAdmin('POST', '/api/admin/notifications', announcement);
  await stage.requestAsAdmin('POST', '/api/admin/keys', { name: word, scopes: ['users:read'] });
  await visit({
    at: '/admin/overview',
    act: async (page) => {
      await page.getByText('7 days', { exact: true }).click();
      await page.getByText('Tables', { exact: true }).click();
    },
    shows: (page) =>
      expect(
        page.getByRole('figure', { name: 'Calls by outcome, last 7 days' }).getByRole('table'),
      ).toBeVisible(),
  });
  await visit({
    at: '/admin/announcements',
    act: (page) => page.getByRole('button', { name: word }).click(),
    shows: (page) => expect(drawer(page, 'Sent at').getByRole('article')).toContainText(word),
  });
  await visit({
    at: '/admin/announcements',
    act: (page) => page.getByRole('button', { name: 'New announcement' }).click(),
    shows: (page) => expect(drawer(page, 'New announcement').getByLabel('Title')).toBeVisible(),
  });
  await visit({
    at: '/admin/keys',
    act: (page) => page.getByRole('button', { name: `Edit key ${word}` }).click(),
    shows: (page) =>
      expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toHaveValue(word),
  });
  await visit({
    at: '/admin/webhooks',
    act: (page) => page.getByRole('button', { name: 'New endpoint' }).click(),
    shows: (page) => expect(page.getByRole('dialog', { name: 'New endpoint' })).toBeVisible(),
  });
  await visit({
    at: '/admin/health',
    act: (page) => page.getByText('Configuration', { exact: true }).click(),
    shows: (page) => expect(page.getByRole('row', { name: 'DEMO_DATA' })).toBeVisible(),
  });
});
