import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const DESKTOP = { width: 1280, height: 800 };
const POLL_MS = 100;
const PHONE = { width: 390, height: 780 };

interface Picture {
  file: string;
  /** Demo user who is logged in. Undefined: the page needs no log-in. */
  as?: 'admin' | 'alice' | 'emma' | 'liam';
  path: string;
  viewport?: typeof DESKTOP;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  /** Brings the page into the state of the picture, and waits for it. */
  prepare: (page: Page) => Promise<void>;
}

/** Scrolls to the film in a chat and waits for its poster. */
async function showFilm(page: Page): Promise<void> {
  const film = page.getByRole('log').locator('video').last();
  await film.scrollIntoViewIfNeeded();
  // Passed as text: scripts are compiled without DOM types.
  await film.evaluate(`(video) => Object.assign(new Image(), { src: video.poster }).decode()`);
  // The browser fades out its loading indicator without an event.
  await page.waitForTimeout(10 * POLL_MS);
}

const PICTURES: readonly Picture[] = [
  {
    file: 'chat.png',
    as: 'emma',
    path: '/conversations/5',
    prepare: showFilm,
  },
  {
    file: 'phone.png',
    as: 'alice',
    path: '/conversations/1',
    viewport: PHONE,
    colorScheme: 'dark',
    locale: 'zh-CN',
    prepare: showFilm,
  },
  {
    file: 'overview.png',
    as: 'admin',
    path: '/admin/overview',
    prepare: async (page) => page.getByRole('img', { name: /calls/i }).first().waitFor(),
  },
  {
    file: 'groups.png',
    as: 'admin',
    path: '/admin/groups',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Expand all' }).click();
      await page.getByRole('treeitem').nth(2).click();
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await page.locator('.ant-spin-spinning').first().waitFor({ state: 'detached' });
      // The table fades in.
      await page.waitForTimeout(10 * POLL_MS);
    },
  },
  {
    file: 'users.png',
    as: 'admin',
    path: '/admin/users',
    colorScheme: 'dark',
    prepare: async (page) => page.getByRole('cell', { name: 'alice', exact: true }).waitFor(),
  },
];

/** Pictures for the cameras of the caller and the callee. */
const CAMERAS = { caller: 'web/public/demo/gate.jpg', callee: 'web/public/demo/view.jpg' };

/** Launches a browser with a fake camera that shows a picture. `scratch`: folder for the film made of it. */
async function launch(executablePath: string, scratch: string, side: keyof typeof CAMERAS): Promise<Browser> {
  // Concatenated JPEGs are a film in MJPEG, which Chromium repeats.
  const film = join(scratch, `${side}.mjpeg`);
  const frame = readFileSync(CAMERAS[side]);
  writeFileSync(film, Buffer.concat([frame, frame]));
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
}

interface Places {
  executablePath: string;
  origin: string;
  /** Folder of the pictures. */
  folder: string;
  /** Folder of temporary files. */
  scratch: string;
}

/** Takes the pictures of the pages, and of a call between two of them. */
export async function takePages({ executablePath, origin, folder, scratch }: Places): Promise<void> {
  const [browser, callees] = [
    await launch(executablePath, scratch, 'caller'),
    await launch(executablePath, scratch, 'callee'),
  ];
  try {
    for (const picture of PICTURES) {
      const page = await visit(browser, origin, picture);
      await picture.prepare(page);
      await page.screenshot({ path: join(folder, picture.file) });
      await page.context().close();
    }
    await takeCall([browser, callees], origin, folder);
  } finally {
    await Promise.all([browser.close(), callees.close()]);
  }
}

/** Opens a tab as a demo user. */
async function visit(
  browser: Browser,
  origin: string,
  { as, path, viewport = DESKTOP, ...look }: Picture,
): Promise<Page> {
  const { colorScheme = 'light', locale = 'en-GB' } = look;
  const options: BrowserContextOptions = { baseURL: origin, viewport, colorScheme, locale };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(path);
  if (as !== undefined) await page.getByRole('button', { name: new RegExp(`${as}$`) }).click();
  return page;
}

const nothing = async (): Promise<void> => undefined;

/** Takes a picture of a call between two demo users, from the caller's tab. */
async function takeCall(
  [callers, callees]: readonly [Browser, Browser],
  origin: string,
  folder: string,
): Promise<void> {
  const callee = await visit(callees, origin, { file: '', as: 'liam', path: '/', prepare: nothing });
  const caller = await visit(callers, origin, {
    file: '',
    as: 'emma',
    path: '/conversations/5',
    prepare: nothing,
  });
  await caller.getByRole('button', { name: 'Video call' }).click();
  await callee
    .getByRole('button', { name: /^Answer/ })
    .first()
    .click();
  // The Content-Security-Policy blocks `waitForFunction` with a text.
  const hasVideo = (): Promise<boolean> =>
    caller.evaluate(`Array.from(document.querySelectorAll('video')).some((video) => video.videoWidth > 0)`);
  while (!(await hasVideo())) await caller.waitForTimeout(POLL_MS);
  await caller.getByText('0:02').first().waitFor();
  await caller.screenshot({ path: join(folder, 'call.jpg'), type: 'jpeg', quality: 80 });
  await caller.getByRole('button', { name: 'Hang up' }).click();
}
