import { createServer } from 'vite';
import { expect, test } from './support/journey';

test('the development server serves every screen of both apps after a reload', async ({ stage }) => {
  const { url } = stage.service;
  const server = await createServer({
    configFile: 'web/vite.config.ts',
    root: 'web',
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, proxy: { '/api': url } },
  });
  await server.listen();
  try {
    const [origin = ''] = server.resolvedUrls?.local ?? [];
    const page = await stage.guest('/admin/users?keyword=a', { origin });
    await expect(page.getByRole('heading', { name: 'Callboard administration' })).toBeVisible();
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Callboard administration' })).toBeVisible();
    await page.goto('/conversations/7');
    await expect(page.getByRole('heading', { name: 'Callboard', exact: true })).toBeVisible();
    // Pending requests of an open page would log errors when the server stops.
    await page.close();
  } finally {
    await server.close();
  }
});
