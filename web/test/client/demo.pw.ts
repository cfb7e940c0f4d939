import type { Page } from '@playwright/test';
import { ChatOnPage } from '../support/chat';
import { expect, test } from '../support/journey';

const accounts = (page: Page) =>
  page.getByRole('region', { name: /^(Demo accounts|演示账号)$/ }).getByRole('button');

test(
  'the demo shows chats in the browser’s language, with its own media',
  { tag: '@smoke' },
  async ({ stage }) => {
    const chinese = await stage.guest('/', { options: { locale: 'zh-CN' } });
    await expect(accounts(chinese).first()).toHaveAccessibleName(/^爱丽丝\s?alice$/);
    const page = await stage.guest('/');
    await expect(accounts(page).first()).toHaveAccessibleName(/^Emma Clarke\s?emma$/);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.service.url)) foreign.push(request.url());
    });
    await accounts(page).first().click();
    const list = page.getByRole('list', { name: 'Chats' });
    await expect(list).toContainText('Harbour Court neighbours');
    const colours = await list
      .locator('.picture')
      .evaluateAll((pictures) => pictures.map((picture) => getComputedStyle(picture).backgroundColor));
    expect(new Set(colours).size).toBeGreaterThan(2);

    const { log } = new ChatOnPage(page);
    await list.getByRole('link', { name: /^Noah Kim/ }).click();
    const picture = log.getByRole('img', { name: 'Photo' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(720);
    await list.getByRole('link', { name: /^Liam Reed/ }).click();
    const film = log.getByLabel('Video');
    await expect(film).toHaveAttribute('poster', '/demo/view.jpg');
    await film.evaluate((video: HTMLVideoElement) => {
      video.muted = true;
      return video.play();
    });
    await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.ended)).toBe(true);
    expect(foreign).toEqual([]);
  },
);
