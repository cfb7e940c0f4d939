import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';
import { INTO, drag, row } from './support/groups';

const NAMES = { device: 'Front door', group: 'Site' };

test('devices and groups show their latest changes, with actor and values, and who made them', async ({
  stage,
  admin,
}) => {
  const mark = crypto.randomUUID().slice(0, 8);
  const send = (method: string, path: string, body: object) =>
    stage.request(admin.id, method, path, body, 'admin');
  const device = await send('POST', '/api/admin/devices', {
    name: `${NAMES.device} ${mark}`,
    serial_no: mark,
  });
  const target = `Target ${mark}`;
  await send('POST', '/api/admin/device-groups', { name: target });
  await send('PUT', `/api/admin/devices/${device.id}`, { name: `Back door ${mark}` });
  const group = await send('POST', '/api/admin/device-groups', { name: `${NAMES.group} ${mark}` });
  await send('PUT', `/api/admin/device-groups/${group.id}`, { name: `Campus ${mark}` });

  const page = await stage.open(admin, `/admin/devices?device=${device.id}`);
  const drawer = page.getByRole('dialog', { name: `Back door ${mark}` });
  const latest = drawer.getByRole('list', { name: 'Latest entries' }).getByRole('listitem');
  await expect(latest).toHaveCount(2);
  await expect(latest.first()).toContainText(
    new RegExp(`Before: ${NAMES.device} ${mark}\\s*→\\s*After: Back door ${mark}`),
  );
  await expect(latest.first().getByRole('link', { name: admin.name })).toHaveAttribute(
    'href',
    `/admin/users?user=${admin.id}`,
  );
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

  await page.goto(`/admin/groups?group=${group.id}&q=${mark}`);
  const entries = page
    .getByRole('region', { name: 'Group', exact: true })
    .getByRole('list', { name: 'Latest entries' })
    .getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText(
    new RegExp(`Before: ${NAMES.group} ${mark}\\s*→\\s*After: Campus ${mark}`),
  );
  await expect.poll(() => findAccessibilityViolations(page)).toEqual([]);

  // Changes on the same screen are added: of the state, of the name, and of the place.
  await page.getByRole('switch', { name: 'Enabled' }).click();
  await expect(entries).toHaveCount(3);
  await row(page, `Campus ${mark}, Disabled`).focus();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: `Name of Campus ${mark}` }).fill(`Yard ${mark}`);
  await page.keyboard.press('Enter');
  await expect(entries).toHaveCount(4);
  await expect(entries.first()).toContainText(`Yard ${mark}`);
  await drag(row(page, `Yard ${mark}, Disabled`), row(page, target), INTO);
  await expect(entries).toHaveCount(5);
  await expect(entries.first()).toContainText(target);
});

test('the activity of a user shows calls by day and the newest conversations, which open', async ({
  stage,
  admin,
}) => {
  const [ada, ben] = [await stage.person({ name: 'Ada' }), await stage.person({ name: 'Ben' })];
  const { id } = await stage.request(ada.id, 'POST', '/api/messages/conversations', {
    type: 'group',
    name: 'Night shift',
    member_ids: [ben.id],
  });
  await stage.request(ada.id, 'POST', `/api/messages/conversations/${id}/messages`, {
    type: 'text',
    content: 'hello',
  });
  const call = { callee_id: ben.id, media_type: 'audio' };
  const { call_id: callId } = await stage.request(ada.id, 'POST', '/api/calls', call);
  await stage.request(ben.id, 'POST', `/api/calls/${callId}/reject`);

  const page = await stage.open(admin, `/admin/users?user=${ada.id}&tab=activity`);
  const drawer = page.getByRole('dialog');
  const chart = drawer.getByRole('figure', { name: 'Calls, last 30 days' });
  await expect(chart.getByRole('listitem')).toHaveText([/Answered\s*0/, /Not answered\s*1/]);
  const conversations = drawer.getByRole('region', { name: 'Conversations' });
  await expect(conversations.getByRole('row', { name: /Night shift/ })).toBeVisible();
  await expect(conversations.getByRole('link', { name: 'All conversations of this user' })).toHaveAttribute(
    'href',
    `/admin/conversations?member=${ada.id}`,
  );
  await conversations.getByRole('link', { name: 'Night shift' }).click();
  await expect(page).toHaveURL(`/admin/conversations?conversation=${id}`);
  await expect(page.getByRole('dialog')).toContainText('Night shift');
});
