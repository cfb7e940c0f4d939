import { createUser, signIn } from '../support/accounts';
import { JwksServer, makeKey, type SigningKey } from '../support/jwks-server';
import { createTestApp, START, type TestApp } from '../support/test-app';
import { signToken } from '../support/tokens';

const FACE = 'https://pictures.example/face.png';
const OTHER_FACE = 'https://pictures.example/other.png';
const NOON = 1_769_860_800;

describe('PROFILE_SOURCE', () => {
  let key: SigningKey;
  let jwks: JwksServer;
  beforeAll(async () => {
    key = await makeKey('ES256', 'provider');
    jwks = await JwksServer.start([key]);
  });
  afterAll(() => jwks?.stop());

  let one: TestApp;
  let two: TestApp;
  /** Access token of the test's user. */
  let sub: string;
  let users = 0;
  const start = async (source: string): Promise<void> => {
    const env = { JWT_JWKS_URL: jwks.url, PROFILE_SOURCE: source };
    one = await createTestApp({ env });
    two = await createTestApp({ env, database: one.database, clock: one.clock });
  };
  const stop = async (): Promise<void> => {
    await two?.close();
    await one?.close();
  };
  beforeEach(() => {
    sub = `auth0|follower-${(users += 1)}`;
  });

  const tokenOf = (claims: object) => key.sign({ sub, ...claims });
  const clientOf = async (claims: object, test = one) => test.api.withToken(await tokenOf(claims));
  /** Returns the name and picture of the user after a request with a token with these claims. */
  const shown = async (claims: object, test = one): Promise<[string, string | null]> => {
    const { name, avatar } = (await (await clientOf(claims, test)).get('/api/auth/me')).body.data;
    return [name, avatar];
  };

  describe('first', () => {
    beforeAll(() => start('first'));
    afterAll(stop);

    it('stores the name and picture of the first token only', async () => {
      expect(await shown({ iat: NOON, name: 'Ann', picture: FACE })).toEqual(['Ann', FACE]);
      expect(await shown({ iat: NOON + 60, name: 'Anna', picture: OTHER_FACE })).toEqual(['Ann', FACE]);
    });
  });

  describe('token', () => {
    beforeAll(() => start('token'));
    beforeEach(() => one.clock.set(START));
    afterAll(stop);

    it('applies newer tokens immediately, on each instance, and no older or equal ones', async () => {
      expect(await shown({ iat: NOON, name: 'Ann', picture: FACE })).toEqual(['Ann', FACE]);
      expect(await shown({ iat: NOON + 60, name: 'Anna', picture: OTHER_FACE })).toEqual([
        'Anna',
        OTHER_FACE,
      ]);
      expect(await shown({ iat: NOON + 30, name: 'Late' })).toEqual(['Anna', OTHER_FACE]);
      expect(await shown({ iat: NOON + 60, name: 'Equal' })).toEqual(['Anna', OTHER_FACE]);
      expect(await shown({ iat: NOON + 30, name: 'Late' }, two)).toEqual(['Anna', OTHER_FACE]);
      expect(await shown({ iat: NOON + 90, name: 'Anne' }, two)).toEqual(['Anne', OTHER_FACE]);
      expect(await shown({ iat: NOON + 61, name: 'Between' })).toEqual(['Anne', OTHER_FACE]);
    });

    it('records a newer token with the same profile, so that an older one is ignored afterwards', async () => {
      await shown({ iat: NOON, name: 'Ann' });
      expect(await shown({ iat: NOON + 60, name: 'Ann' })).toEqual(['Ann', null]);
      expect(await shown({ iat: NOON + 30, name: 'Late' })).toEqual(['Ann', null]);
    });

    it.each([
      ['nothing', {}],
      ['no text', { name: 5, picture: ['x'] }],
      ['null', { name: null, picture: null }],
      ['blanks and no URL', { name: ' \0 ', picture: 'javascript:alert(1)' }],
      ['a picture that is too long', { picture: `https://x.example/${'x'.repeat(500)}` }],
    ])('keeps the stored value when a token claims %s', async (_, claims) => {
      await shown({ iat: NOON, name: 'Ann', picture: FACE });
      expect(await shown({ iat: NOON + 60, ...claims })).toEqual(['Ann', FACE]);
    });

    it('applies name and picture separately, truncated and cleaned as for new users', async () => {
      await shown({ iat: NOON, name: 'Ann', picture: FACE });
      expect(await shown({ iat: NOON + 1, name: ` ${'é'.repeat(60)}\0` })).toEqual(['é'.repeat(50), FACE]);
      expect(await shown({ iat: NOON + 2, picture: OTHER_FACE })).toEqual(['é'.repeat(50), OTHER_FACE]);
    });

    it('ignores tokens without `iat`, and the service’s own', async () => {
      const { id } = (await (await clientOf({ iat: NOON, name: 'Ann' })).get('/api/auth/me')).body.data;
      expect(await shown({ name: 'Timeless' })).toEqual(['Ann', null]);
      const own = await signToken({ sub: String(id), iat: NOON + 60, name: 'Own' });
      expect((await one.api.withToken(own).get('/api/auth/me')).body.data.name).toBe('Ann');
      const admin = await one.api.as({ id: 900, role: 'admin' });
      await createUser(admin, 'local', { name: 'Local' });
      const { access_token } = await signIn(one.api, 'local');
      expect((await one.api.withToken(access_token).get('/api/auth/me')).body.data.name).toBe('Local');
    });

    it('updates the search and the name that others see', async () => {
      const { id } = (await (await clientOf({ iat: NOON, name: 'Ann' })).get('/api/auth/me')).body.data;
      const admin = await one.api.as({ id: 900, role: 'admin', name: 'Admin' });
      const chat = await admin.post('/api/messages/conversations', { type: 'single', peer_id: id });
      expect(chat.body.data.name).toBe('Ann');
      await shown({ iat: NOON + 60, name: 'Zoë' }, two);
      const found = await admin.get('/api/admin/users?keyword=ZO%C3%8B');
      expect(found.body.data.items).toMatchObject([{ id, name: 'Zoë' }]);
      expect((await admin.get('/api/messages/conversations')).body.data.items).toMatchObject([
        { name: 'Zoë' },
      ]);
    });

    it('publishes one event for a change to the user, and nothing else', async () => {
      const first = await clientOf({ iat: NOON, name: 'Ann' });
      const { id } = (await first.get('/api/auth/me')).body.data;
      await Promise.all(
        Array.from({ length: 6 }, async (_, index) =>
          shown(
            { iat: NOON + 60, name: 'Anna', role: 'admin', jti: String(index) },
            index % 2 === 0 ? one : two,
          ),
        ),
      );
      await shown({ iat: NOON + 61, name: 'Anna' });
      await shown({ iat: NOON + 30, name: 'Late' });
      expect((await first.get('/api/events/poll')).body.data.items).toEqual([
        {
          id: 1,
          type: 'user.updated',
          created_at: '2026-01-31T08:00:00.000Z',
          user: {
            id,
            account: null,
            name: 'Anna',
            avatar: null,
            role: 'admin',
            created_at: '2026-01-31T08:00:00.000Z',
            discoverable: true,
            presence_visible: true,
          },
        },
      ]);
    });

    it('converges to the newest token, in any order and on any instance', async () => {
      await shown({ iat: NOON, name: 'Version 0' });
      for (let round = 0; round < 10; round += 1) {
        const base = NOON + 1 + round * 20;
        const order = [3, 11, 7, 19, 1, 15, 5, 9];
        await Promise.all(
          order.map((seconds, index) =>
            shown({ iat: base + seconds, name: `Version ${base + seconds}` }, index % 2 === 0 ? one : two),
          ),
        );
        one.clock.advance(11);
        expect(await shown({ iat: NOON })).toEqual([`Version ${base + 19}`, null]);
      }
    });

    it('adds no statement to requests of a known user, and returns only the 401 to a disabled user', async () => {
      const client = await clientOf({ iat: NOON, name: 'Ann' });
      const { id } = (await client.get('/api/auth/me')).body.data;
      await client.get('/api/nothing');
      await one.query(`UPDATE users SET name = 'Changed behind', profile_at = 0 WHERE id = ${id}`);
      expect((await client.get('/api/nothing')).status).toBe(404);
      expect(await one.query(`SELECT name FROM users WHERE id = ${id}`)).toEqual([
        { name: 'Changed behind' },
      ]);
      const admin = await one.api.as({ id: 900, role: 'admin' });
      await admin.put(`/api/admin/users/${id}`, { status: 0 });
      expect((await (await clientOf({ iat: NOON + 60, name: 'Out' })).get('/api/auth/me')).status).toBe(401);
      expect((await admin.get(`/api/admin/users/${id}`)).body.data.name).toBe('Changed behind');
    });
  });
});
