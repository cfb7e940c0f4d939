import { readFile } from 'node:fs/promises';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import type { Person, Stage } from '../support/stage';
import { expectToast } from '../support/toasts';

/** Creates a call between two new users, up to the given stage. */
async function placeCall(stage: Stage, { stage: until = 'ringing', names = ['Ada', 'Ben'] } = {}) {
  const caller = await stage.person({ name: names[0] });
  const callee = await stage.person({ name: names[1] });
  const body = { callee_id: callee.id, media_type: 'video', terminal_id: 'desk' };
  const { call_id: id } = await stage.request(caller.id, 'POST', '/api/calls', body);
  const changeCall = (who: Person, name: string, given: object = {}) =>
    stage.request(who.id, 'POST', `/api/calls/${id}/${name}`, given);
  if (until !== 'ringing') await changeCall(callee, 'accept', { terminal_id: 'phone' });
  if (until !== 'ringing')
    await changeCall(callee, 'media-state', {
      terminal_id: 'phone',
      stage: 'joined',
      network_quality: 'poor',
    });
  if (until === 'ended') await changeCall(caller, 'hangup');
  return { id: Number(id), caller, callee, act: changeCall };
}

test(
  'a call appears while it rings, is followed to its end, and is ended by an administrator',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const page = await stage.open(admin, '/admin/calls');
    await expect(page.getByRole('heading', { level: 1, name: 'Calls' })).toBeVisible();
    const { id, callee, act: changeCall } = await placeCall(stage);
    const row = page.getByRole('row', { name: `Call ${id}` });
    await expect(row).toContainText('Ringing');
    await changeCall(callee, 'accept', { terminal_id: 'phone' });
    await changeCall(callee, 'media-state', {
      terminal_id: 'phone',
      stage: 'joined',
      network_quality: 'poor',
    });
    await expect(row).toContainText('In progress');

    await row.getByRole('button', { name: `Call ${id}` }).click();
    const drawer = page.getByRole('dialog').filter({ hasText: 'Timeline' });
    await expect(page).toHaveURL(new RegExp(`call=${id}$`));
    await expect(drawer.getByRole('row', { name: 'phone' })).toContainText('poor');
    await expect(drawer.getByRole('listitem')).toHaveText([/^Placed.*Ada$/, /^Answered.*Ben$/, /^Connected/]);
    expect(await findAccessibilityViolations(page)).toEqual([]);

    // A repeated request has no effect.
    await drawer.getByRole('button', { name: 'End call' }).click();
    const asking = page.getByRole('dialog', { name: `End call ${id}?` });
    await asking.getByLabel('Reason code (optional)').fill('patrol');
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await asking.getByRole('button', { name: 'End call' }).dblclick();
    await expect(drawer.getByRole('row', { name: 'End reason patrol' })).toBeVisible();
    await expect(asking).toBeHidden();
    await expect(drawer.getByRole('row', { name: 'Status' })).toContainText('Ended');
    await expect(drawer.getByRole('button', { name: 'End call' })).toBeHidden();
    const { items } = await stage.requestAsAdmin('GET', `/api/admin/audit?object_type=call&object_id=${id}`);
    expect(items).toHaveLength(1);

    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(row).toBeHidden();
  },
);

test('the timeline of a call shows how it ended, to the second', async ({ stage, admin }) => {
  const hungUp = await placeCall(stage, { stage: 'ended' });
  const declined = await placeCall(stage);
  await declined.act(declined.callee, 'reject');
  const cancelled = await placeCall(stage);
  await cancelled.act(cancelled.caller, 'cancel');
  // The callee is in another call.
  const other = await placeCall(stage);
  const busy = await stage.person({ name: 'Cleo' });
  const body = { callee_id: other.callee.id, media_type: 'audio', terminal_id: 'desk' };
  await expect(stage.request(busy.id, 'POST', '/api/calls', body)).rejects.toThrow('41001');
  const { items } = await stage.requestAsAdmin('GET', `/api/admin/calls?user_id=${busy.id}`);

  const page = await stage.open(admin, '/admin/calls');
  const moment = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  for (const [id, course] of [
    [
      hungUp.id,
      ['Placed · @ · Ada', 'Answered · @ · Ben', 'Connected · @', 'Hung up after 0:\\d\\d · @ · Ada'],
    ],
    [declined.id, ['Placed · @ · Ada', 'Declined · @ · Ben']],
    [cancelled.id, ['Placed · @ · Ada', 'Cancelled by the caller · @ · Ada']],
    [items[0].call_id, ['Placed · @ · Cleo', 'Busy · @']],
  ] as const) {
    await page.goto(`/admin/calls?call=${id}`);
    await expect(page.getByRole('dialog').locator('.timeline').getByRole('listitem')).toHaveText(
      course.map((line) => new RegExp(`^${line.replaceAll('@', moment)}$`)),
    );
  }
  // The durations of an answered call are a bar with a legend.
  await page.goto(`/admin/calls?call=${hungUp.id}`);
  await expect(page.getByRole('list', { name: 'Durations' }).getByRole('listitem')).toHaveText([
    /^Ringing \d:\d\d$/,
    /^Connecting \d:\d\d$/,
    /^Talking \d:\d\d$/,
  ]);
  await page.goto('/admin/calls');
  const outcomes = page.getByRole('region', { name: 'Outcomes' });
  await expect(outcomes.getByRole('img', { name: /^Calls by outcome, last 30 days/ })).toBeVisible();
});

test('every filter narrows the history and is kept in the URL', async ({ stage, admin }) => {
  const ended = await placeCall(stage, { stage: 'ended', names: ['Cleo', 'Dora'] });
  const ringing = await placeCall(stage, { names: ['Emil', 'Finn'] });
  const page = await stage.open(admin, '/admin/calls?tab=history', { mayLogErrors: /422/ });
  const filters = page.getByRole('search', { name: 'History' });
  const callOf = ({ id }: { id: number }) => page.getByRole('button', { name: `Call ${id}`, exact: true });
  await expect(callOf(ended)).toBeVisible();
  await expect(callOf(ringing)).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);

  await filters.getByRole('combobox', { name: 'User' }).fill(ended.callee.account);
  await page.getByTitle(`Dora (${ended.callee.account})`).click();
  await expect(callOf(ringing)).toBeHidden();
  await expect(callOf(ended)).toBeVisible();
  await filters.getByRole('combobox', { name: 'End reason' }).fill('local_hangup');
  await page.keyboard.press('Enter');
  await filters.getByLabel('From', { exact: true }).fill('2020-01-01');
  await filters.getByLabel('To', { exact: true }).fill('2020-01-31');
  await expect(page.getByText('No matches. Try other filters.')).toBeVisible();
  await expect(page).toHaveURL(
    new RegExp(`user=${ended.callee.id}&reason=local_hangup&from=2020-01-01&to=2020-01-31`),
  );

  await page.reload();
  await expect(filters.getByText('Dora')).toBeVisible();
  await expect(filters.getByRole('combobox', { name: 'End reason' })).toHaveValue('local_hangup');
  await expect(page.getByText('No matches. Try other filters.')).toBeVisible();

  await filters.getByLabel('From', { exact: true }).fill('2024-01-01');
  await filters.getByLabel('To', { exact: true }).fill('2020-01-31');
  await expect(filters.getByText('to is invalid')).toBeVisible();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(callOf(ringing)).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/calls\?tab=history$/);
});

test('columns that are hidden in the current calls stay in the history', async ({ stage, admin }) => {
  await placeCall(stage);
  const page = await stage.open(admin, '/admin/calls?columns=none');
  const status = page.getByRole('columnheader', { name: 'Status' });
  await expect(page.getByRole('columnheader').first()).toBeVisible();
  await expect(status).toHaveCount(0);
  await page.getByText('History', { exact: true }).click();
  await expect(status).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/calls\?tab=history$/);
});

test('an end reason is selected by keyboard, and the field keeps the focus', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/calls?tab=history');
  const reason = page.getByRole('combobox', { name: 'End reason' });
  await reason.click();
  const options = page.locator('.ant-select-dropdown');
  await expect(options.getByTitle('Hung up (local_hangup)')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(options.locator('.ant-select-item-option-active')).toContainText('user_reject');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/reason=user_reject$/);
  await expect(reason).toHaveValue('user_reject');
  await expect(reason).toBeFocused();
  await reason.fill('patrol');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/reason=patrol$/);
  await expect(reason).toBeFocused();
});

test('the export contains the filtered calls', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/calls?tab=history&reason=max_duration');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('calls.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines[0]).toContain('call_id,media_type,status,end_reason');
  // In the demo data, one call reached the maximum duration.
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('max_duration');
  await expectToast(page, 'Exported: calls.csv');
});

test('a rejected or interrupted export saves no file and shows an error', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/calls?tab=history&from=2024-01-01&to=2020-01-01', {
    mayLogErrors: /422|ERR_FAILED/,
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText(/to is invalid · Request /)).toBeVisible();
  await page.route('**/api/admin/calls/export?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('The service cannot be reached')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled();
});

test('an unknown call and an unavailable service are shown, in Chinese', async ({ stage, admin }) => {
  const page = await stage.open(admin, '/admin/calls?call=987654321', {
    options: { locale: 'zh-CN', colorScheme: 'dark' },
    mayLogErrors: /404|ERR_/,
  });
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('alert')).toContainText('通话不存在');
  await expect(drawer.getByRole('alert')).toContainText('该通话可能已超出保存期限。请关闭后另选。');
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page.getByText('当前没有通话').or(page.getByRole('table'))).not.toHaveCount(0);

  await page.context().setOffline(true);
  await expect(page.getByRole('main').getByRole('alert')).toContainText('无法连接服务');
  await page.context().setOffline(false);
  await expect(page.getByRole('main').getByRole('alert')).toBeHidden();
});
