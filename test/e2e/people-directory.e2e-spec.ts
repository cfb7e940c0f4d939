import { createUser } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { newUserIds } from '../support/calls';
import { errorOf } from '../support/messaging';
import { block, found } from '../support/people';
import { createTestApp, type TestApp } from '../support/test-app';
import { testUser } from '../support/users';

describe('The directory', () => {
  let test: TestApp;
  let admin: ApiClient;
  let asker: ApiClient;
  const start = async (USER_DIRECTORY?: string): Promise<void> => {
    test = await createTestApp({ env: USER_DIRECTORY === undefined ? {} : { USER_DIRECTORY } });
    admin = await test.api.as({ id: 900_001, role: 'admin' });
    asker = await testUser(test.api, { id: 900_002, name: 'Asker' });
  };
  // Keeps the tests below the rate limit.
  beforeEach(() => test?.clock.advance(60));

  describe('by default', () => {
    let ann: number;
    beforeAll(async () => {
      await start();
      ann = await createUser(admin, '13800138000', { name: 'Ann Lee' });
    });
    afterAll(() => test.close());

    it('finds a complete account, case-insensitively, and an id', async () => {
      const ben = await createUser(admin, 'Ben.Straße', { name: 'Ben' });
      expect(await found(asker, '13800138000')).toEqual([ann]);
      expect(await found(asker, 'BEN.STRASSE')).toEqual([ben]);
      expect(await found(asker, String(ann))).toEqual([ann]);
      expect((await asker.get(`/api/users?keyword=${ann}`)).body.data).toEqual({
        items: [{ id: ann, name: 'Ann Lee', avatar: null }],
      });
    });

    it('finds no user by a part of the account or by the name', async () => {
      for (const keyword of ['1380013800', '3800138000', 'Ann', 'Ann Lee', `0${ann}`, '%', '_'])
        expect(await found(asker, keyword)).toEqual([]);
    });

    it('finds users by id and by an account of the same digits', async () => {
      const [high = 0] = newUserIds(1);
      const named = await createUser(admin, String(high));
      await testUser(test.api, { id: high });
      expect(await found(asker, String(high))).toEqual([named, high].toSorted((a, b) => a - b));
      expect(await found(asker, String(high), 1)).toHaveLength(1);
    });

    it('does not find the user, disabled users, and undiscoverable ones by account', async () => {
      const [hidden, disabled] = [await createUser(admin, 'hidden'), await createUser(admin, 'disabled')];
      await (await test.api.as({ id: hidden })).put('/api/auth/me', { discoverable: false });
      await admin.put(`/api/admin/users/${disabled}`, { status: 0 });
      expect(await found(asker, '900002')).toEqual([]);
      expect(await found(asker, 'disabled')).toEqual([]);
      expect(await found(asker, 'hidden')).toEqual([hidden]);
    });

    it('finds users by account and id across a block in either direction, like profiles', async () => {
      const [hostile, blocked] = [await createUser(admin, 'hostile'), await createUser(admin, 'blocked')];
      await block(await test.api.as({ id: hostile }), 900_002);
      await block(asker, blocked);
      for (const [account, id] of [
        ['hostile', hostile],
        ['blocked', blocked],
      ] as const) {
        expect(await found(asker, account)).toEqual([id]);
        expect(await found(asker, String(id))).toEqual([id]);
        expect((await asker.get(`/api/users/${id}`)).status).toBe(200);
      }
    });

    it('finds users by name for administrators, also undiscoverable ones, but not by a part of the account', async () => {
      const shy = await createUser(admin, 'shy.person', { name: 'Zora Vale' });
      await (await test.api.as({ id: shy })).put('/api/auth/me', { discoverable: false });
      expect(await found(admin, 'vale')).toEqual([shy]);
      expect(await found(admin, 'shy')).toEqual([]);
    });

    it.each([
      ['', 'keyword 字段不能为空'],
      ['keyword=', 'keyword 字段不能为空'],
      ['keyword=%20', 'keyword 字段不能为空'],
      [`keyword=${'x'.repeat(65)}`, 'keyword 长度不能超过 64 个字符'],
      ['keyword=a%00', 'keyword 取值无效'],
      ['keyword=a&keyword=b', 'keyword 必须是字符串'],
      ['keyword=a&limit=0', 'limit 不能小于 1'],
      ['keyword=a&limit=51', 'limit 不能大于 50'],
    ])('rejects ?%s', async (query, message) => {
      expect(errorOf(await asker.get(`/api/users?${query}`))).toEqual([422, message]);
    });

    it('accepts a keyword of 64 characters that fold to 128', async () => {
      expect(await found(asker, 'ß'.repeat(64))).toEqual([]);
      expect(await found(admin, 'ß'.repeat(64))).toEqual([]);
      expect(await found(admin, '\u{10ffff}')).toEqual([]);
    });

    it('allows 30 searches per minute, independent of the general limit; rejected ones do not count', async () => {
      const other = await testUser(test.api, { id: 900_003 });
      for (let count = 0; count < 30; count += 1) await found(other, 'nobody');
      expect((await other.get('/api/users?keyword=')).status).toBe(422);
      const refused = await other.get('/api/users?keyword=nobody');
      expect([refused.status, refused.body.message]).toEqual([429, '请求过于频繁']);
      expect(refused.headers['retry-after']).toBe('60');
      expect((await asker.get('/api/users?keyword=nobody')).status).toBe(200);
      test.clock.advance(60);
      expect((await other.get('/api/users?keyword=nobody')).status).toBe(200);
    });
  });

  describe('in mode open', () => {
    beforeAll(() => start('open'));
    afterAll(() => test.close());

    const named = async (name: string, more: object = {}): Promise<number> =>
      createUser(admin, `u${newUserIds(1)[0]}`, { name, ...more });

    it('finds users by a prefix of a word in the name, case-insensitively, sorted by that and by id', async () => {
      const marie = await named('Ann-Marie Curie');
      const annie = await named('annie');
      const bob = await named('Bob ANN');
      const second = await named('annie');
      expect(await found(asker, 'aNN')).toEqual([bob, marie, annie, second]);
      expect(await found(asker, 'curie')).toEqual([marie]);
      expect(await found(asker, 'arie')).toEqual([]);
      expect(await found(asker, 'ann-m')).toEqual([marie]);
      expect(await found(asker, 'ann', 2)).toEqual([bob, marie]);
    });

    it('finds users by any CJK character', async () => {
      const xiao = await named('王小明');
      const mei = await named('小美');
      expect(await found(asker, '小')).toEqual([xiao, mei]);
      expect(await found(asker, '小明')).toEqual([xiao]);
      expect(await found(asker, '明')).toEqual([xiao]);
      expect(await found(asker, '明小')).toEqual([]);
    });

    it('finds users by folded characters: ß, İ, sigmas, combining marks', async () => {
      const strauss = await named('Strauß');
      const odysseus = await named('ΟΔΥΣΣΕΥΣ');
      const zoe = await named('Zoe\u0308');
      expect(await found(asker, 'STRAUSS')).toEqual([strauss]);
      expect(await found(asker, 'οδυσσευς')).toEqual([odysseus]);
      expect(await found(asker, 'ZO\u00cb')).toEqual([zoe]);
      expect(await found(asker, 'zoe')).toEqual([]);
    });

    it('finds users by the new name immediately, and not by the old one', async () => {
      const dora = await named('Dora Quell');
      await (await test.api.as({ id: dora })).put('/api/auth/me', { name: 'Thea Brook' });
      expect([await found(asker, 'quell'), await found(asker, 'brook')]).toEqual([[], [dora]]);
      await admin.put(`/api/admin/users/${dora}`, { name: 'Thea Rivers' });
      expect([await found(asker, 'brook'), await found(asker, 'rivers')]).toEqual([[], [dora]]);
    });

    it('finds users created from tokens', async () => {
      const [id = 0] = newUserIds(1);
      await testUser(test.api, { id, name: 'Token Bearer' });
      expect(await found(asker, 'bearer')).toEqual([id]);
    });

    it('returns the complete account first, and each user once', async () => {
      const echo = await createUser(admin, 'echo', { name: 'Zulu' });
      const other = await named('Echo Echo');
      const self = await createUser(admin, 'echo park', { name: 'echo park' });
      expect(await found(asker, 'echo')).toEqual([echo, other, self]);
      expect(await found(asker, 'echo park')).toEqual([self]);
    });

    it('does not find users by name who are undiscoverable, disabled, or have blocked the caller', async () => {
      const ids = [];
      for (const name of ['Quinn A', 'Quinn B', 'Quinn C', 'Quinn D']) ids.push(await named(name));
      const [shy = 0, gone = 0, hostile = 0, open = 0] = ids;
      await (await test.api.as({ id: shy })).put('/api/auth/me', { discoverable: false });
      await admin.put(`/api/admin/users/${gone}`, { status: 0 });
      await block(await test.api.as({ id: hostile }), 900_002);
      expect(await found(asker, 'quinn')).toEqual([open]);
      expect(await found(admin, 'quinn')).toEqual([shy, hostile, open]);
    });

    it('finds users behind many undiscoverable ones', async () => {
      for (let count = 0; count < 12; count += 1) await named(`Velma ${String(count).padStart(2, '0')}`);
      await test.query("UPDATE users SET discoverable = 0 WHERE name LIKE 'Velma %'");
      const last = await named('Velma 99');
      expect(await found(asker, 'velma', 2)).toEqual([last]);
    });
  });

  describe('in mode off', () => {
    let ann: number;
    beforeAll(async () => {
      await start('off');
      ann = await createUser(admin, 'ann', { name: 'Ann' });
    });
    afterAll(() => test.close());

    it('finds users for administrators only', async () => {
      for (const keyword of ['ann', String(ann)]) expect(await found(asker, keyword)).toEqual([]);
      expect(await found(admin, 'ann')).toEqual([ann]);
    });
  });
});
