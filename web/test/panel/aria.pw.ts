import { randomBytes } from 'node:crypto';
import { expect, test } from '../support/journey';
import { makeSite, openGroup, row } from './support/groups';

test('what assistive technology is told of the users', async ({ stage, admin }) => {
  const word = `q${randomBytes(4).toString('hex')}`;
  const users = ['Ada', 'Ben'].map((name) => ({ external_id: `${word}-${name}`, name }));
  await stage.asAdmin('POST', '/api/admin/users/bulk', { users });
  const page = await stage.open(admin, `/admin/users?external_id=${word}-Ada`);
  await expect(page.getByText('1 in all')).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Users" [level=1]
      - button "Columns"
      - button "Export"
      - button "New user"
      - search:
        - searchbox "Name or account"
        - combobox "Role"
        - combobox "Status"
        - searchbox "External id"
        - group "Created":
          - textbox "From day"
          - textbox "To day"
        - checkbox "There now"
        - button "Clear the filters"
      - status: Nobody is chosen
      - table:
        - rowgroup:
          - row:
            - /children: equal
            - columnheader "Choose all on this page":
              - checkbox "Choose all on this page"
            - columnheader "Name"
            - columnheader "Account"
            - columnheader "Role"
            - columnheader "Status"
            - columnheader "Last there"
            - columnheader "Created"
        - rowgroup:
          - /children: equal
          - row:
            - /children: equal
            - cell "Choose Ada":
              - checkbox "Choose Ada"
            - cell "Ada":
              - link "Ada":
                - /url: /\\/admin\\/users\\?external_id=.*&user=\\d+$/
            - cell "–"
            - cell "User"
            - cell "Enabled"
            - cell "Never"
            - cell /^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$/
      - list:
        - /children: equal
        - listitem: 1 in all
        - listitem "Previous Page":
          - button "Previous page" [disabled]
        - listitem "1"
        - listitem "Next Page":
          - button "Next page" [disabled]
        - listitem:
          - combobox "Page Size"
  `);
});

test('what assistive technology is told of the groups', async ({ stage, admin }) => {
  const site = await makeSite(stage, ['East', 'West']);
  const page = await stage.open(admin, `/admin/groups?group=${site.id}`);
  await openGroup(page, site.name);
  await expect(row(page, 'West')).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Device groups" [level=1]
      - button "New group"
      - status
      - region "Device groups":
        - textbox "Search groups by name"
        - button "Expand all"
        - button "Collapse all"
        - button "Move selected to…"
        - button "Undo" [disabled]
        - button "Keys"
        - tree "Device groups":
          - treeitem "${site.name}" [expanded] [level=1] [selected]
          - treeitem "East" [level=2]
          - treeitem "West" [level=2]
        - text: /^\\d+ groups$/
        - paragraph: "Space: pick up, arrows choose the place, Enter drops, Escape cancels."
      - region "Group":
        - navigation "Where the group is"
        - heading "${site.name}" [level=2]
        - switch "Enabled" [checked]
        - text: 2 groups inside · 0 devices · 0 devices with all groups below
        - button "Edit"
        - button "New group inside"
        - button "New group after it"
        - button "Move to…"
        - button "Delete group"
        - heading "Devices" [level=3]
        - switch "With the groups below"
        - combobox "Devices to add"
        - button "Add" [disabled]
        - button "Move to group…" [disabled]
        - button "Remove from group" [disabled]
        - table:
          - rowgroup:
            - row:
              - columnheader "Select this page"
              - columnheader "Name"
              - columnheader "Serial number"
              - columnheader "Status"
              - columnheader "Connection"
  `);
});

const table = (...headers: string[]): string => `
        - table:
          - rowgroup:
            - row:
${headers.map((header) => `              - columnheader "${header}"`).join('\n')}`;

for (const [path, parts] of [
  [
    'overview',
    `
        - heading "Overview" [level=1]
        - region "Now":
          - heading "Now" [level=2]
          - list:
            - listitem:
              - link "Users online":
                - /url: /admin/users?online=1
            - listitem:
              - link "Devices online":
                - /url: /admin/devices?online=1
            - listitem:
              - link "Calls ringing"
            - listitem:
              - link "Calls in progress"
        - region "Today":
          - heading "Today" [level=2]
        - region "Health":
          - heading "Health" [level=2]
          - link "Parts and jobs"`,
  ],
  [
    'devices',
    `
        - heading "Devices" [level=1]
        - button "Columns"
        - button "Export"
        - button "Import"
        - button "New device"
        - search:
          - searchbox "Name or serial number"
          - combobox "In the group"
          - checkbox "In no group"
          - combobox "Status"
          - combobox "Presence"
          - group "Created"
        - status: No device is chosen
${table('Choose all on this page', 'Name', 'Serial number', 'Groups', 'Status', 'Presence')}`,
  ],
  [
    'announcements',
    `
        - heading "Announcements" [level=1]
        - button "New announcement"
${table('Title', 'State', 'For whom', 'Recipients', 'In inboxes', 'Read', 'Sender', 'Sent at')}`,
  ],
  [
    'calls?tab=history',
    `
        - heading "Calls" [level=1]
        - radiogroup "Calls":
          - radio "Live"
          - radio "History" [checked]
        - search "History":
          - combobox "User"
          - combobox "State"
          - combobox "Kind"
          - combobox "Why it ended"
        - button "Clear the filters" [disabled]
        - button "Export"
${table('Call', 'State', 'Kind', 'Caller', 'Callee', 'Placed', 'Duration', 'Why it ended')}`,
  ],
  [
    'sessions',
    `
        - heading "Sessions" [level=1]
        - link "Who is there at the moment"
        - heading "Whose sessions" [level=2]
        - combobox "Whose sessions"
        - heading "Where you are logged in" [level=2]
        - list "Where you are logged in"`,
  ],
  [
    'audit',
    `
        - heading "Audit log" [level=1]
        - button "Export"
        - search:
          - combobox "By whom"
          - combobox "What was done"
          - combobox "To what"
          - group "When":
            - textbox "From day"
            - textbox "To day"
        - list "Audit log":
          - listitem
        - navigation "Pages of the log":
          - button "Newest" [disabled]
          - button "Older"`,
  ],
  [
    'webhooks',
    `
        - heading "Webhooks" [level=1]
        - button "New endpoint"
${table('Address', 'State', 'Events', 'Waiting', 'Last success', 'Last failure')}`,
  ],
  [
    'keys',
    `
        - heading "API keys" [level=1]
        - button "New key"
${table('Name', 'Scopes', 'Last used', 'Valid until', 'Requests a minute', 'Made by', 'Actions')}`,
  ],
  [
    'health',
    `
        - heading "Health" [level=1]
        - radiogroup "Health":
          - radio "Health" [checked]
          - radio "Configuration"
        - region "Parts of the service":
          - heading "Parts of the service" [level=2]
${table('Name', 'State', 'Last success', 'Last error').replaceAll('\n', '\n  ')}
        - region "Jobs of the instance that answered":
          - heading "Jobs of the instance that answered" [level=2]`,
  ],
] as const)
  test(`what assistive technology is told of ${path}`, async ({ stage, admin }) => {
    const page = await stage.open(admin, `/admin/${path}`);
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:${parts}
    `);
  });
