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
