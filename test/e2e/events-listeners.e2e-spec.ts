import type { AddressInfo } from 'node:net';
import type { ApiClient } from '../support/api-client';
import { createUser, PASSWORD, signIn, type Tokens } from '../support/accounts';
import { newUserIds } from '../support/calls';
import { EventReader } from '../support/event-reader';
import { createTestApp, type TestApp } from '../support/test-app';

describe('Clients with an open event stream', () => {
  let test: TestApp;
  let url: string;
  let admin: ApiClient;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(test.app.getHttpServer().address() as AddressInfo).port}`;
    admin = await test.api.as({ id: 1, role: 'admin' });
  });
  afterAll(() => test?.close());
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });

  const listen = async (options: Parameters<typeof EventReader.open>[1]): Promise<EventReader> => {
    const reader = await EventReader.open(url, options);
    readers.push(reader);
    return reader;
  };
  const broadcast = (title: string) =>
    admin.post('/api/admin/notifications', { broadcast: true, type: 'news', title, content: 'C' });
  const titles = ({ frames }: EventReader): string[] => frames.map(({ data }) => data.notification.title);
  const rowsOf = (id: number) => test.query(`SELECT user_id FROM notification_inboxes WHERE user_id = ${id}`);

  describe('receive broadcasts', () => {
    it('when they are sent, on every terminal, without rows for other users', async () => {
      const [one = 0, other = 0, away = 0] = newUserIds(3);
      await (await test.api.as({ id: away })).get('/api/calls/active');
      const streams = [
        await listen({ userId: one }),
        await listen({ userId: one }),
        await listen({ userId: other }),
      ];
      test.clock.advance(1);
      await broadcast('first');
      await broadcast('second');
      for (const stream of streams) {
        await stream.atLeast(2);
        expect(titles(stream)).toEqual(['first', 'second']);
        expect(stream.types).toEqual(['notification.created', 'notification.created']);
      }
      expect(await rowsOf(away)).toEqual([]);
    });

    it('that they missed when they connect', async () => {
      const [userId = 0] = newUserIds(1);
      await (await test.api.as({ id: userId })).get('/api/calls/active');
      test.clock.advance(1);
      await broadcast('missed');
      const stream = await listen({ userId, after: 0 });
      await stream.atLeast(1);
      expect(titles(stream)).toEqual(['missed']);
      expect(stream.ids).toEqual([1]);
    });

    it('of any number', async () => {
      const ids = newUserIds(130);
      const streams = await Promise.all(ids.map((userId) => listen({ userId })));
      test.clock.advance(1);
      await broadcast('to all');
      for (const stream of streams) {
        await stream.atLeast(1);
        expect(titles(stream)).toEqual(['to all']);
      }
    });
  });

  describe('are disconnected', () => {
    let userId: number;
    let account: string;
    beforeEach(async () => {
      account = `listener${newUserIds(1)[0]}`;
      userId = await createUser(admin, account);
    });
    const signedIn = async (): Promise<{ tokens: Tokens; stream: EventReader }> => {
      const tokens = await signIn(test.api, account);
      return { tokens, stream: await listen({ userId, token: tokens.access_token }) };
    };
    /** Waits for an event after everything that could have closed the stream. */
    const expectDelivery = async (stream: EventReader): Promise<void> => {
      const body = { user_ids: [userId], type: 'own', title: 'still there', content: 'C' };
      await admin.post('/api/admin/notifications', body);
      await stream.until(() => stream.types.includes('notification.created'));
    };

    it('immediately when the user is disabled, with any token', async () => {
      const { stream } = await signedIn();
      const foreign = await listen({ userId });
      await admin.put(`/api/admin/users/${userId}`, { status: 0 });
      await Promise.all([stream.ended, foreign.ended]);
      expect([stream.frames, foreign.frames]).toEqual([[], []]);
    });

    it('immediately when their session logs out, but not other sessions', async () => {
      const [first, second] = [await signedIn(), await signedIn()];
      await test.api.post('/api/auth/logout', { refresh_token: first.tokens.refresh_token });
      await first.stream.ended;
      await expectDelivery(second.stream);
    });

    it('when the password changes, except for the session that changed it', async () => {
      const [mine, others] = [await signedIn(), await signedIn()];
      const body = { old_password: PASSWORD, new_password: `${PASSWORD} 2` };
      await test.api.withToken(mine.tokens.access_token).put('/api/auth/password', body);
      await others.stream.ended;
      await expectDelivery(mine.stream);
    });

    it('not when only the name changes', async () => {
      const { stream } = await signedIn();
      await admin.put(`/api/admin/users/${userId}`, { name: 'New name' });
      await expectDelivery(stream);
    });
  });
});
