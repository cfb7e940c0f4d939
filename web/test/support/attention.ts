import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { Person, Stage } from './stage';

interface SentNotification {
  title: string;
  body: string;
}

/** The notification that replaces the browser's. */
interface ShownNotification extends Notification {
  isOpen: boolean;
}

declare global {
  interface Window {
    notifications: ShownNotification[];
    tones: number;
    permission: NotificationPermission;
  }
}

/** Records desktop notifications and tones in every tab of a browser. */
async function remember(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.notifications = [];
    window.tones = 0;
    // Headless browsers show no desktop notifications and deny the permission.
    class Shown extends EventTarget {
      static readonly permission = 'granted';
      isOpen = true;
      readonly body: string | undefined;
      constructor(
        readonly title: string,
        { body }: NotificationOptions = {},
      ) {
        super();
        this.body = body;
        window.notifications.push(this as unknown as ShownNotification);
      }
      close(): void {
        this.isOpen = false;
        this.dispatchEvent(new Event('close'));
      }
    }
    Object.assign(window, { Notification: Shown });
    window.OscillatorNode = class extends OscillatorNode {
      constructor(audio: BaseAudioContext, options?: OscillatorOptions) {
        super(audio, options);
        window.tones += 1;
      }
    };
  });
}

/** Returns all notifications that the tabs have shown. */
export const notificationsOf = async (pages: Page[]): Promise<SentNotification[]> => {
  const each = await Promise.all(
    pages.map((page) =>
      page.evaluate(() => window.notifications.map(({ title, body }) => ({ title, body }))),
    ),
  );
  return each.flat();
};

/** Returns the texts of the notifications that the page has not closed. */
export const openOf = async (pages: Page[]): Promise<unknown[]> => {
  const each = await Promise.all(
    pages.map((page) =>
      page.evaluate(() => window.notifications.filter(({ isOpen }) => isOpen).map(({ body }) => body)),
    ),
  );
  return each.flat();
};

/** Returns the number of tones that the tabs have played. */
export const tonesOf = async (pages: Page[]): Promise<number> => {
  const each = await Promise.all(pages.map((page) => page.evaluate(() => window.tones)));
  return each.reduce((sum, tones) => sum + tones, 0);
};

/** Returns the Web Locks through which the tabs of a browser announce what is visible. */
const seenIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.map(({ name = '' }) => name).filter((name) => name.startsWith('callboard visible'));
  });

/** Simulates that another tab or window is in front; `visible` are the paths that other tabs still show. */
export async function hide(pages: Page[], ...visible: string[]): Promise<void> {
  for (const page of pages)
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  // The tabs release their locks later.
  const names = visible.map((path) => `callboard visible ${path}`);
  await Promise.all(pages.map((page) => expect.poll(() => seenIn(page)).toEqual(names)));
}

/** Returns the id of the tab that shows notifications. */
export const leaderOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.find(({ name }) => name === 'callboard leader')?.clientId;
  });

/** Opens the settings in three tabs of one browser. */
export async function tabsOf(stage: Stage, person: Person): Promise<Page[]> {
  const first = await stage.open(person, '/settings');
  const context = first.context();
  await remember(context);
  const pages = [first, await context.newPage(), await context.newPage()];
  for (const page of pages) {
    await page.goto('/settings');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    // Browsers play audio only after a user interaction.
    await page.getByRole('heading', { level: 1 }).click();
  }
  return pages;
}
