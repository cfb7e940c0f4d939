import { randomBytes } from 'node:crypto';
import { expect, test } from '../support/journey';
import { makeSite, openGroup, row } from './support/groups';

test('accessibility tree of the users screen', async ({ stage, admin }) => {
  const word = `q${randomBytes(4).toString('hex')}`;
  const users = ['Ada', 'Ben'].map((name) => ({ external_id: `${word}-${name}`, name }));
  await stage.requestAsAdmin('POST', '/api/admin/users/bulk', { users });
  const page = await stage.open(admin, `/admin/users?external_id=${word}-Ada`);
  await expect(page.getByText('1 total', { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Users" [level=1]
      - button "Export"
      - button "Import"
      - button "New user"
      - search:
        - searchbox "Name or account"
        - combobox "Role"
        - combobox "Status"
        - searchbox "External ID"
        - group "Created":
          - textbox "From"
          - textbox "To"
        - checkbox "Online"
        - button "Clear filters"
        - button "View"
      - status: Nothing selected
      - table:
        - rowgroup:
          - row:
            - /children: equal
            - columnheader "Select all on this page":
              - checkbox "Select all on this page"
            - columnheader "Name"
            - columnheader "Account"
            - columnheader "Role"
            - columnheader "Status"
            - columnheader "Last seen"
            - columnheader "Created"
        - rowgroup:
          - /children: equal
          - row:
            - /children: equal
            - cell "Select Ada":
              - checkbox "Select Ada"
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
        - listitem: 1 total
        - listitem "Previous Page":
          - button "Previous page" [disabled]
        - listitem "1"
        - listitem "Next Page":
          - button "Next page" [disabled]
        - listitem:
          - combobox "Page Size"
  `);
});

test('accessibility tree of the groups screen', async ({ stage, admin }) => {
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
        - button "Keyboard shortcuts"
        - tree "Device groups":
          - treeitem "${site.name}" [expanded] [level=1] [selected]
          - treeitem "East" [level=2]
          - treeitem "West" [level=2]
        - text: /^\\d+ groups$/
        - paragraph: "Space: pick up. Arrow keys: choose a position. Enter: drop. Escape: cancel."
      - region "Group":
        - navigation "Path"
        - heading "${site.name}" [level=2]
        - switch "Enabled" [checked]
        - text: 2 subgroups · 0 devices · 0 devices including subgroups
        - button "Edit"
        - button "New subgroup"
        - button "New group below"
        - button "Move to…"
        - button "Delete group"
        - heading "Devices" [level=3]
        - switch "Include subgroups"
        - combobox "Devices to add"
        - button "Add" [disabled]
        - button "Move to group…" [disabled]
        - button "Remove from group" [disabled]
        - table:
          - rowgroup:
            - row:
              - columnheader "Select all on this page"
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
          - link "Components and jobs"`,
  ],
  [
    'devices',
    `
        - heading "Devices" [level=1]
        - button "Export"
        - button "Import"
        - button "New device"
        - search:
          - searchbox "Name or serial number"
          - combobox "In group"
          - checkbox "No group"
          - combobox "Status"
          - combobox "Presence"
          - group "Created"
          - button "View"
        - status: Nothing selected
${table('Select all on this page', 'Name', 'Serial number', 'Groups', 'Status', 'Presence')}`,
  ],
  [
    'announcements',
    `
        - heading "Announcements" [level=1]
        - button "New announcement"
        - search:
          - button "View"
${table('Title', 'Status', 'Audience', 'Recipients', 'Delivered', 'Read', 'Sender', 'Sent at')}`,
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
          - combobox "Status"
          - combobox "Type"
          - combobox "End reason"
          - textbox "From"
          - textbox "To"
          - button "View"
        - button "Export"
${table('Call', 'Status', 'Type', 'Caller', 'Callee', 'Placed', 'Duration', 'End reason')}`,
  ],
  [
    'conversations',
    `
        - heading "Conversations" [level=1]
        - search:
          - searchbox "Group name"
          - combobox "Type"
          - combobox "Member"
          - button "View"
${table('Name', 'Type', 'Members', 'Messages', 'Last message', 'Created')}`,
  ],
  [
    'account',
    `
        - heading "Your account" [level=1]
        - heading "Profile" [level=2]
        - textbox "* Name"
        - textbox "Picture"
        - heading "Password" [level=2]
        - textbox "* Current password"
        - textbox "* New password"
        - textbox "* Confirm new password"
        - heading "Your sessions" [level=2]
        - list "Your sessions"`,
  ],
  [
    'sessions',
    `
        - heading "Sessions" [level=1]
        - link "Your sessions"
        - link "Online users"
        - search:
          - combobox "User"
          - button "View"
${table('User', 'Client', 'IP address', 'Last used', 'Since', 'Actions')}`,
  ],
  [
    'audit',
    `
        - heading "Audit log" [level=1]
        - button "Export"
        - search:
          - combobox "Actor"
          - combobox "Action"
          - combobox "Target"
          - group "Time":
            - textbox "From"
            - textbox "To"
          - button "View"
${table('Time', 'Actor', 'Action', 'Target', 'Changes', 'IP address')}
        - navigation "Audit log pages":
          - button "Newest" [disabled]
          - button "Older"`,
  ],
  [
    'webhooks',
    `
        - heading "Webhooks" [level=1]
        - button "New endpoint"
        - search:
          - button "View"
${table('URL', 'Status', 'Events', 'Pending', 'Last success', 'Last failure')}`,
  ],
  [
    'keys',
    `
        - heading "API keys" [level=1]
        - button "New key"
        - search:
          - button "View"
${table('Name', 'Scopes', 'Last used', 'Valid until', 'Requests per minute', 'Created by', 'Actions')}`,
  ],
  [
    'health',
    `
        - heading "Health" [level=1]
        - radiogroup "Health":
          - radio "Health" [checked]
          - radio "Configuration"
        - region "Components":
          - heading "Components" [level=2]
${table('Name', 'Status', 'Last success', 'Last error').replaceAll('\n', '\n  ')}
        - region "Jobs on this instance":
          - heading "Jobs on this instance" [level=2]`,
  ],
] as const)
  test(`accessibility tree of ${path}`, async ({ stage, admin }) => {
    const page = await stage.open(admin, `/admin/${path}`);
    await expect(page.getByRole('main')).toMatchAriaSnapshot(`
      - main:${parts}
    `);
  });
