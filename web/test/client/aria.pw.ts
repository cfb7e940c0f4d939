import { sendMessage, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

test('accessibility tree of the chat list, a chat and an incoming call', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice Winter' });
  const bob = await stage.person({ name: 'Bob Summer' });
  const chat = await singleChat(stage, alice, bob);
  const team = { type: 'group', name: 'Front desk', member_ids: [bob.id] };
  const { id: group } = await stage.request(alice.id, 'POST', '/api/messages/conversations', team);
  await sendMessage(stage, bob, chat, 'Good morning');
  await sendMessage(stage, alice, chat, 'How are you?');
  await sendMessage(stage, bob, group, 'Anybody there?');
  const page = await stage.open(alice, `/conversations/${chat}`);

  await expect(page.getByRole('navigation', { name: 'Menu' })).toMatchAriaSnapshot(`
    - navigation "Menu":
      - list:
        - listitem:
          - link "Alice Winter":
            - /url: /settings
        - listitem:
          - link "Chats 1 unread":
            - /url: /
        - listitem:
          - link "Contacts":
            - /url: /contacts
        - listitem:
          - link "Calls":
            - /url: /calls
        - listitem:
          - link "Notifications":
            - /url: /notifications
        - listitem:
          - link "Settings":
            - /url: /settings
        - listitem:
          - link "API docs":
            - /url: /docs
  `);
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Chats" [level=1]
      - button "New chat"
      - button "Search"
      - list "Chats":
        - /children: equal
        - listitem:
          - /children: equal
          - 'link /^Front desk (\\d+:\\d+|Yesterday) Bob Summer: Anybody there\\? 1 unread$/':
            - /url: /\\/conversations\\/\\d+/
          - button "Actions for Front desk"
        - listitem:
          - /children: equal
          - 'link /^Bob Summer (\\d+:\\d+|Yesterday) You: How are you\\?$/':
            - /url: /\\/conversations\\/\\d+/
          - button "Actions for Bob Summer"
      - link "Hidden chats":
        - /url: /conversations?hidden=1
      - region "Bob Summer":
        - /children: equal
        - heading "Bob Summer" [level=2]:
          - button "Bob Summer"
        - text: Offline
        - button "Search in chat"
        - button "Voice call"
        - button "Video call"
        - button "Actions for Bob Summer"
        - log "Messages":
          - /children: equal
          - paragraph:
            - button /^(Today|Yesterday)$/
          - article /^Bob Summer, \\d+:\\d+$/:
            - /children: equal
            - paragraph: Good morning
            - time: /^\\d+:\\d+$/
            - button "Message actions"
          - article /^You, \\d+:\\d+$/:
            - /children: equal
            - paragraph: How are you?
            - time: /^\\d+:\\d+$/
            - button "Message actions"
            - text: Sent
        - paragraph
        - form "Write a message":
          - /children: equal
          - button "Attach files"
          - button "Insert emoji"
          - textbox "Message":
            - /placeholder: Write a message
          - button "Record a voice message"
          - paragraph
  `);

  const call = { callee_id: alice.id, media_type: 'video', terminal_id: 'desk' };
  await stage.request(bob.id, 'POST', '/api/calls', call);
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Video call from Bob Summer":
      - /children: equal
      - heading "Bob Summer" [level=2]
      - status: is video calling you
      - button "Answer with video"
      - button "Answer without video"
      - button "Decline"
      - button "Check camera and microphone"
      - button "Silence ringtone"
  `);
});

test('accessibility tree of contacts, calls, notifications and settings', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice Winter' });
  const bob = await stage.person({ name: 'Bob Summer' });
  await singleChat(stage, alice, bob);
  const call = { callee_id: alice.id, media_type: 'video', terminal_id: 'desk' };
  const { call_id: id } = await stage.request(bob.id, 'POST', '/api/calls', call);
  await stage.request(bob.id, 'POST', `/api/calls/${id}/cancel`, {});
  const page = await stage.open(alice, `/contacts?person=${bob.id}`);
  const main = page.getByRole('main');
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Contacts" [level=1]
      - search:
        - searchbox "Search people"
      - group "Show":
        - button "Your chats" [pressed]
        - button "Blocked"
      - list "Your chats":
        - listitem:
          - link "Bob Summer"
      - region "Bob Summer":
        - heading "Bob Summer" [level=2]
        - button "Voice call"
        - button "Video call"
        - button "Message"
        - button "Block"
  `);
  await page.goto(`/calls/${id}`);
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Calls" [level=1]
      - button "New call"
      - group "Show":
        - button "All" [pressed]
        - button "Missed"
        - button "Incoming"
        - button "Outgoing"
      - combobox "Type"
      - list "Your calls":
        - listitem:
          - link /^Bob Summer Missed Cancelled by the caller/
          - button "Video call Bob Summer"
      - region "Call with Bob Summer":
        - heading "Bob Summer" [level=2]
        - button "Voice call"
        - button "Video call"
        - button "Message"
        - link "Profile"
        - term: Outcome
        - definition: Missed call
  `);
  await page.goto('/notifications');
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Notifications" [level=1]
      - button "Mark all as read"
      - group "Filter":
        - button "All" [pressed]
        - button "Unread"
      - combobox "Type":
        - option "All types" [selected]
        - option "Missed call (1 unread)"
      - list:
        - listitem:
          - heading "Missed call (unread)" [level=2]:
            - link "Missed call":
              - /url: /calls/${id}
          - paragraph: Video call from Bob Summer
          - button "Mark “Missed call” as read"
          - button "Delete “Missed call”"
  `);
  await page.goto('/settings');
  await expect(main).toMatchAriaSnapshot(`
    - main:
      - heading "Settings" [level=1]
      - button "Log out"
      - region "Profile":
        - heading "Profile" [level=2]
        - textbox "Name": Alice Winter
        - textbox "Picture"
        - button "Save" [disabled]
        - checkbox "Show when I’m online" [checked]
      - region "Appearance and language":
        - group "Language":
          - button "English" [pressed]
        - group "Appearance":
          - button "System" [pressed]
      - region "Sounds and notifications":
        - checkbox "Sounds" [checked]
      - region "Password":
        - textbox "Current password"
        - textbox "New password"
        - textbox "Confirm new password"
        - button "Change password" [disabled]
      - region "Active sessions":
        - list:
          - listitem
      - region "Blocked people":
        - paragraph: You haven’t blocked anyone.
  `);
});
