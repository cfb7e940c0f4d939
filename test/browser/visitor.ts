import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** A browser of somebody's own: its cookies, its tabs, and whatever its console complained of. */
export class Visitor {
  /** What no page may say: errors, failed requests, violations of the policy. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    private readonly origin: string,
  ) {}

  static async come(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    return new Visitor(context, origin);
  }

  /** Opens a tab. */
  async open(path: string): Promise<Tab> {
    const page = await this.context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    await page.goto(this.origin + path);
    return new Tab(page);
  }

  cookies = (): ReturnType<BrowserContext['cookies']> => this.context.cookies();

  leave = (): Promise<void> => this.context.close();
}

/** A page with the sign-in. */
export class Tab {
  constructor(readonly page: Page) {}

  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name });

  async logIn(account: string, password: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Account' }).fill(account);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.button('Log in').first().click();
  }

  /** Waits until the text is there. */
  sees = (text: string | RegExp): Promise<void> => this.page.getByText(text).first().waitFor();

  /** The rules of WCAG 2.2 AA that the page breaks, and where. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations)`,
    );
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** All that scripts can reach of what the browser keeps. */
  kept = (): Promise<string> =>
    this.page.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`,
    );
}
