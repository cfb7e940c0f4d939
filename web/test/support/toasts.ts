import { type BrowserContext, expect, type Page } from '@playwright/test';

declare global {
  interface Window {
    /** Texts of the panel's messages that no test has expected yet. */
    toasts: string[];
  }
}

/** Records the texts of the panel's messages, which are removed after three seconds, in all pages of a browser. */
export const recordToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    window.toasts = [];
    new MutationObserver((mutations) => {
      for (const { addedNodes } of mutations)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          const notices = node.matches('.ant-message-notice')
            ? [node]
            : node.querySelectorAll('.ant-message-notice');
          for (const { textContent } of notices) window.toasts.push(textContent);
        }
    }).observe(document, { childList: true, subtree: true });
  });

/** Waits for a message of the panel that contains a text, even if it is no longer shown. Each message is expected once. */
export async function expectToast(page: Page, text: string): Promise<void> {
  const toasts = () => page.evaluate(() => window.toasts);
  await expect.poll(toasts).toContainEqual(expect.stringContaining(text));
  await page.evaluate((expected) => {
    window.toasts.splice(0, window.toasts.findIndex((toast) => toast.includes(expected)) + 1);
  }, text);
}
