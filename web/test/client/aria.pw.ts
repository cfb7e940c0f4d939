import { say, singleChat } from '../support/chat';
import { expect, test } from '../support/journey';

test('what assistive technology is told of chats, a chat, and a call that comes in', async ({ stage }) => {
  const alice = await stage.person({ name: 'Alice Winter' });
  const bob = await stage.person({ name: 'Bob Summer' });
  const chat = await singleChat(stage, alice, bob);
  const team = { type: 'group', name: 'Front desk', member_ids: [bob.id] };
  const { id: group } = await stage.ask(alice.id, 'POST', '/api/messages/conversations', team);
  await say(stage, bob, chat, 'Good morning');
  await say(stage, alice, chat, 'How are you?');
  await say(stage, bob, group, 'Anybody there?');
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
      - list "Chats":
        - /children: equal
        - listitem:
          - /children: equal
          - 'link /^Front desk \\d+:\\d+ Bob Summer: Anybody there\\? 1 unread$/':
            - /url: /\\/conversations\\/\\d+/
          - button "Actions for Front desk"
        - listitem:
          - /children: equal
          - 'link /^Bob Summer \\d+:\\d+ You: How are you\\?$/':
            - /url: /\\/conversations\\/\\d+/
          - button "Actions for Bob Summer"
      - link "Hidden chats":
        - /url: /conversations?hidden=1
      - region "Bob Summer":
        - /children: equal
        - heading "Bob Summer" [level=2]
        - text: Offline
        - button "Voice call"
        - button "Video call"
        - button "Actions for Bob Summer"
        - log "Messages":
          - /children: equal
          - paragraph:
            - time: Today
          - article /^Bob Summer, \\d+:\\d+$/:
            - /children: equal
            - paragraph: Good morning
            - time: /^\\d+:\\d+$/
            - button "What to do with this message"
          - article /^You, \\d+:\\d+$/:
            - /children: equal
            - paragraph: How are you?
            - time: /^\\d+:\\d+$/
            - button "What to do with this message"
            - text: Sent
        - paragraph
        - form "Write a message":
          - /children: equal
          - textbox "Message":
            - /placeholder: Write a message
          - button "Send" [disabled]
          - paragraph
  `);

  const call = { callee_id: alice.id, media_type: 'video', terminal_id: 'desk' };
  await stage.ask(bob.id, 'POST', '/api/calls', call);
  await expect(page.getByRole('dialog')).toMatchAriaSnapshot(`
    - dialog "Video call from Bob Summer":
      - /children: equal
      - heading "Bob Summer" [level=2]
      - status: is calling you with video
      - button "Answer with video"
      - button "Answer without camera"
      - button "Decline"
      - button "Silence"
  `);
});
