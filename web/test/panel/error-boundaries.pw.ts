import type { Page } from '@playwright/test';
import { findAccessibilityViolations } from '../support/accessibility';
import { expect, test } from '../support/journey';

const FAILED = 'Could not load this part.';
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
const go = (page: Page, title: string) => menu(page).getByRole('link', { name: title, exact: true }).click();
const failed = (page: Page) => page.getByRole('alert').filter({ hasText: FAILED });

test('a screen that throws or fails to load leaves the panel usable, and loads with a retry', async ({
  stage,
  admin,
}) => {
  const page = await stage.emptyTab(admin, {
    mayLogErrors: /forced|ERR_FAILED|could not be loaded|A part of/,
  });
  const devices = /\/assets\/devices-screen-/;
  await page.route(/\/assets\/(\w+)-screen-[\w-]+\.js/, (route) => {
    const [, name = ''] = /\/(\w+)-screen-/.exec(route.request().url()) ?? [];
    const component = `${name.charAt(0).toUpperCase()}${name.slice(1)}Screen`;
    const body = `export const ${component} = () => { throw new Error('forced'); };`;
    return name === 'health' ? route.continue() : route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.route(devices, (route) => route.abort());
  await page.goto('/admin/health');
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();
  for (const title of [
    'Overview',
    'Users',
    'Device groups',
    'Announcements',
    'Calls',
    'Sessions',
    'Audit log',
  ]) {
    await go(page, title);
    await expect(failed(page)).toBeVisible();
    await expect(menu(page).getByRole('link', { name: title, exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
  }
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await go(page, 'Health');
  await expect(page.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible();

  await go(page, 'Devices');
  await expect(failed(page)).toBeVisible();
  await page.unrouteAll();
  await failed(page).getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
});

test(
  'an overloaded service is not shown as an empty list; an unknown path links back',
  { tag: '@smoke' },
  async ({ stage, admin }) => {
    const page = await stage.open(admin, '/admin/nowhere', { mayLogErrors: /503/ });
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found.' })).toBeVisible();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const busy = /\/api\/admin\/(users|calls|webhooks)\?/;
    await page.route(busy, (route) =>
      route.fulfill({ status: 503, json: { code: 503, message: '服务暂不可用', data: null } }),
    );
    await page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    for (const title of ['Users', 'Calls', 'Webhooks']) {
      await go(page, title);
      await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible();
      await expect(page.getByRole('table')).toContainText('Couldn’t load');
    }
  },
);
