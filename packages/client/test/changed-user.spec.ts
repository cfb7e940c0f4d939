import { Callboard } from '../src/index.js';
import { failure, signedIn, success } from './support/scripted-fetch.js';

const MIB = 1024 * 1024;

describe('A request of a user who signs out', () => {
  let logIn: (id: number) => Promise<void>;
  /** Requests that need a token, with the token. */
  let sent: string[];
  let responses: Promise<Response>[];
  let client: Callboard;

  beforeEach(async () => {
    jest.useFakeTimers();
    sent = [];
    responses = [];
    let user: object;
    client = new Callboard({
      baseUrl: 'http://service.test',
      fetch: async (input, { method = 'GET', headers } = {}) => {
        const { pathname } = new URL(input as string);
        if (pathname === '/api/auth/login') return signedIn(user);
        if (pathname === '/api/auth/logout') return success(null);
        sent.push(`${method} ${pathname} ${new Headers(headers).get('Authorization')}`);
        return responses.shift() ?? success({ id: 1 });
      },
    });
    logIn = async (id) => {
      user = { access_token: `of ${id}`, user: { id, name: `User ${id}`, avatar: null, role: 'user' } };
      await client.session.logIn('account', 'password');
    };
    await logIn(7);
  });
  afterEach(() => jest.useRealTimers());

  /** Starts an action whose request fails after user 8 has signed in. Returns the error of the action. */
  async function changeUserDuring(
    action: () => Promise<unknown>,
    failed = failure(503, '服务暂不可用'),
  ): Promise<unknown> {
    const response = Promise.withResolvers<Response>();
    responses.push(response.promise);
    const error = action().then(
      () => 'no error',
      (reason: unknown) => reason,
    );
    await jest.advanceTimersByTimeAsync(0);
    const leaving = client.session.logOut();
    await jest.advanceTimersByTimeAsync(30_000);
    await leaving;
    await logIn(8);
    response.resolve(failed);
    await jest.advanceTimersByTimeAsync(60_000);
    return error;
  }

  it('is not repeated as the user who signs in next', async () => {
    const error = await changeUserDuring(() => client.notifications.markAllRead({ body: {} }));
    expect(error).toMatchObject({ code: 'signed_out' });
    expect(sent).toEqual([expect.stringMatching(/ Bearer of 7$/)]);
  });

  it.each([
    ['form', 1],
    ['tus', 9 * MIB],
  ])('is not repeated as that user when it uploads by %s', async (_, size) => {
    const file = new File([new Uint8Array(size)], 'film.mp4', { type: 'video/mp4' });
    const error = await changeUserDuring(() => client.attachments.upload(file));
    expect(error).toMatchObject({ code: 'signed_out' });
    expect(sent).toEqual([expect.stringMatching(/ Bearer of 7$/)]);
  });

  it('is not repeated as that user when its token is rejected', async () => {
    const upload = (): Promise<unknown> => client.attachments.upload(new Blob(['x']));
    const error = await changeUserDuring(upload, failure(401, '未授权'));
    expect(error).toMatchObject({ code: 'signed_out' });
    expect(sent).toEqual([expect.stringMatching(/ Bearer of 7$/)]);
  });
});
