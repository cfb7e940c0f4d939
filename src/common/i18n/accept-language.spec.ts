import { preferredLanguage } from './accept-language';

describe('preferredLanguage', () => {
  it.each([
    [undefined, 'zh-CN'],
    ['', 'zh-CN'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['zh-Hant-TW', 'zh-CN'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['fr,de;q=0.9,en;q=0.5', 'en'],
    ['fr, de', 'zh-CN'],
    ['*', 'zh-CN'],
    ['*, en;q=0.1', 'en'],
    ['zh;q=0.4, en ; q = 0.5', 'en'],
    ['en;q=0', 'zh-CN'],
    ['en;q=0.000, zh;q=0.001', 'zh-CN'],
    ['en, zh', 'en'],
    ['zh, en', 'zh-CN'],
    ['en;q=nonsense', 'zh-CN'],
    ['en-US,zh;q=0.9,en;q=0.8', 'en'],
    ['en-GB, zh', 'en'],
    ['english', 'zh-CN'],
    ['constructor', 'zh-CN'],
    [','.repeat(16_000), 'zh-CN'],
  ])('maps Accept-Language %.40j to %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});
