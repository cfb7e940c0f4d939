import type { Locator, Page } from '@playwright/test';
import type { Person, Stage } from './stage';

/** Creates the single chat of two users and returns its id. */
export async function singleChat(stage: Stage, one: Person, other: Person): Promise<number> {
  const body = { type: 'single', peer_id: other.id };
  return (await stage.request(one.id, 'POST', '/api/messages/conversations', body)).id as number;
}

/** Sends a text or another message through the API, as another device would, and returns its id. */
export async function sendMessage(
  stage: Stage,
  who: Person,
  conversationId: number,
  message: string | object,
): Promise<number> {
  const body =
    typeof message === 'string' ? { type: 'text', content: message } : { type: 'text', ...message };
  const path = `/api/messages/conversations/${conversationId}/messages`;
  return (await stage.request(who.id, 'POST', path, body)).id as number;
}

/** Sends the texts `message 1` to `message <count>`, so that a chat has several pages. */
export async function sendMessages(
  stage: Stage,
  who: Person,
  conversationId: number,
  count: number,
): Promise<void> {
  for (let n = 1; n <= count; n += 1) await sendMessage(stage, who, conversationId, `message ${n}`);
}

/** The open chat as a user sees it. */
export class ChatOnPage {
  readonly log: Locator;
  readonly box: Locator;

  constructor(readonly page: Page) {
    this.log = page.getByRole('log', { name: /^(Messages|消息记录)$/ });
    this.box = page.getByRole('textbox', { name: /^(Message|消息)$/ });
  }

  message = (text: string): Locator => this.log.getByRole('article').filter({ hasText: text });

  async write(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Chooses an item from the menu of a message. */
  async choose(text: string, action: string): Promise<void> {
    const message = this.message(text).first();
    await message.hover();
    await message.getByRole('button', { name: 'Message actions' }).click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}
