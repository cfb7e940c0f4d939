import type { Page } from 'playwright-core';
import type { BenchApp } from '../bench-app';
import type { Row } from '../measure';
import { at, atMost } from './figures';
import { conversationOf, createPoster, FIRST_ID, type Open, WRITERS } from './people';
import { scroll } from './scroll';

const CHATS = 1_000;
const MESSAGES = 1_500;
/** Requests in progress while the data is created. */
const CONCURRENCY = 10;
const TARGET_MS = 25;
const WORDS = 'the quick brown fox jumps over a lazy dog while seven wizards hum along with joy'.split(' ');

/** Duration of frames while a list of 1,000 chats and a history of 1,500 messages scroll; older messages are fetched meanwhile. */
export async function measureScrolling(open: Open, bench: BenchApp): Promise<Row[]> {
  const chat = await conversationOf(bench);
  await createMessages(bench, chat);
  const page = await open(WRITERS[0], '/conversations');
  await loadAllChats(page);
  const chats = await scroll(page, '.list-body', 'down');
  await page.goto(`${bench.url}/conversations/${chat}`);
  await page.getByRole('log').waitFor();
  // `waitForFunction` would evaluate text in the page, which its content security policy forbids.
  await page.evaluate(
    `(async () => {
      const log = document.querySelector('[role=log]');
      while (log.scrollHeight < 3000) await new Promise(requestAnimationFrame);
    })()`,
  );
  const messages = await scroll(page, '[role=log]', 'up');
  return [
    atMost(`a frame of scrolling ${CHATS} chats, p95`, at(chats, 0.95), 'ms', TARGET_MS),
    atMost(`a frame of scrolling ${MESSAGES} messages, p95`, at(messages, 0.95), 'ms', TARGET_MS),
  ];
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < count; first += CONCURRENCY)
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, index) => work(first + index)));
}

async function createMessages(bench: BenchApp, chat: number): Promise<void> {
  const post = await createPoster(bench);
  await inParallel(CHATS, async (index) => {
    const body = { type: 'single', peer_id: FIRST_ID + index };
    const { id } = await post<{ id: number }>(0, '/api/messages/conversations', body);
    await post(0, `/api/messages/conversations/${id}/messages`, { type: 'text', content: `Hello ${index}` });
  });
  await inParallel(MESSAGES, async (index) => {
    // One to 24 words, in runs of four messages of one sender.
    const count = 1 + ((index * 7) % 24);
    const content = Array.from({ length: count }, (_, word) => WORDS[(index + word) % WORDS.length]).join(
      ' ',
    );
    const sender = (index >> 2) % 2 === 0 ? 0 : 1;
    await post(sender, `/api/messages/conversations/${chat}/messages`, { type: 'text', content });
  });
}

async function loadAllChats(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show more' }).waitFor();
  await page.evaluate(
    `(async () => {
      const more = () => [...document.querySelectorAll('.list-end button')].find(({ textContent }) => textContent === 'Show more');
      for (; more() !== undefined; await new Promise(requestAnimationFrame)) more().click();
    })()`,
  );
}
