/* A group conversation over the HTTP interface, shown from the screens of two members. */

/** A user of the demo. Each method returns the envelope's `data`. */
export interface DemoClient {
  id: number;
  get(path: string): Promise<unknown>;
  post(path: string, body?: object): Promise<unknown>;
  put(path: string, body?: object): Promise<unknown>;
  delete(path: string): Promise<unknown>;
}

interface Message {
  id: number;
  sender_name: string;
  is_self: boolean;
  display_content: string;
  is_recalled: boolean;
  read_count: number;
  unread_count: number;
  read_at: string | null;
  time: string;
  reply_to: { sender_name: string; display_content: string } | null;
  kind: string;
  reactions: { emoji: string; count: number }[];
}

interface Conversation {
  id: number;
  name: string;
  time: string;
  last_message: string | null;
  last_sender_name: string | null;
  unread_count: number;
  mention_id: number | null;
}

type Print = (line: string) => void;

const ROOT = '/api/messages';

/**
 * Runs the scene: a new group, a text, an image, a recalled message, a reply with a mention, and the read states.
 * @param people three existing users; the first creates the group
 * @param print receives one line at a time
 */
export async function demonstrateMessaging(
  [ann, ben, cat]: [DemoClient, DemoClient, DemoClient],
  print: Print,
): Promise<void> {
  const group = (await ann.post(`${ROOT}/conversations`, {
    type: 'group',
    name: '周末徒步',
    member_ids: [ben.id, cat.id],
  })) as Conversation;
  const send = async (from: DemoClient, body: object): Promise<Message> =>
    (await from.post(`${ROOT}/conversations/${group.id}/messages`, body)) as Message;
  const listOf = async (viewer: DemoClient): Promise<void> => {
    const { items } = (await viewer.get(`${ROOT}/conversations`)) as { items: Conversation[] };
    const shown = items.find(({ id }) => id === group.id);
    if (shown) print(`  ${lineOfConversation(shown)}`);
  };
  const historyOf = async (viewer: DemoClient): Promise<void> => {
    const page = await viewer.get(`${ROOT}/conversations/${group.id}/messages`);
    for (const message of (page as { items: Message[] }).items.toReversed())
      print(`  ${lineOfMessage(message)}`);
  };

  const plan = await send(ann, { type: 'text', content: '周六八点,东门集合 🥾' });
  await send(ann, {
    type: 'image',
    content: 'https://example.com/map.png',
    extra: { width: 1080, height: 720 },
  });
  const slip = await send(ben, { type: 'text', content: '我可能来不了' });
  print('Cat has not opened the group yet. Her list:');
  await listOf(cat);

  await ben.post(`${ROOT}/${slip.id}/recall`);
  print('Ben recalls his message, and it is no longer unread:');
  await listOf(cat);

  print('Cat opens the group, which marks it read:');
  await historyOf(cat);
  const place = { type: 'location', content: '39.9087,116.3975', extra: { title: '东门' } };
  await send(cat, { ...place, reply_to_id: plan.id, mentions: [ann.id] });

  print('The same on Ann’s screen, with the read count of each message:');
  await listOf(ann);
  await historyOf(ann);
  const { count } = (await ann.get(`${ROOT}/unread-count`)) as { count: number };
  print(`Ann has ${count} unread messages in all.`);

  const photo = await send(ann, { type: 'image', content: 'https://example.com/summit.png' });
  for (const who of [ben, cat]) await who.put(`${ROOT}/${photo.id}/reactions`, { emoji: '👍' });
  await ann.put(`${ROOT}/conversations/${group.id}`, { name: '周末徒步 · 东山' });
  await ben.delete(`${ROOT}/${photo.id}`);
  print(
    'Ben and Cat react to a picture, Ann renames the group, and Ben deletes the picture for himself. Cat sees:',
  );
  await historyOf(cat);
  print('Ben sees:');
  await historyOf(ben);
  await ben.post(`${ROOT}/conversations/${group.id}/clear`);
  print('After he has cleared the group:');
  await listOf(ben);
}

function lineOfConversation(conversation: Conversation): string {
  const { name, time, last_message, last_sender_name, unread_count, mention_id } = conversation;
  const unread = `${unread_count} unread${mention_id === null ? '' : ', one mentions you'}`;
  return `${name}  ${time}  ${last_sender_name ?? ''}: ${last_message ?? ''}  (${unread})`;
}

function lineOfMessage(message: Message): string {
  const { time, sender_name, display_content, read_count, unread_count, is_self, read_at, reply_to } =
    message;
  const said = reply_to
    ? `${display_content} ↩ ${reply_to.sender_name}: ${reply_to.display_content}`
    : display_content;
  const readers = `read by ${read_count}, unread by ${unread_count}`;
  const since = is_self && read_at !== null ? `, first read ${read_at}` : '';
  if (message.is_recalled || message.kind === 'notice') return `${time}  ${display_content}`;
  const reactions = message.reactions.map(({ emoji, count }) => `  ${emoji} ${count}`).join('');
  return `${time}  ${sender_name}: ${said}${reactions}  (${readers}${since})`;
}
