import { Callboard, type LiveMessages } from '../src/index.js';
import { failure, signedIn, success } from './support/scripted-fetch.js';

const AMY = 7;
const BOB = 8;
const SEND = 'POST /api/messages/conversations/3/messages';

describe('Outbox of a user who signs out', () => {
  let answers: Record<string, () => Response | Promise<Response>>;
  let tokens: Record<number, string>;
  /** Tokens of the attempts to send the message. */
  let sentWith: (string | null)[];
  let client: Callboard;
  let chat: LiveMessages;

  const fetchScripted: typeof fetch = async (input, init = {}) => {
    const name = `${init.method ?? 'GET'} ${new URL(input as string).pathname}`;
    if (name === SEND) sentWith.push(new Headers(init.headers).get('Authorization'));
    const answer = answers[name];
    if (answer === undefined) throw new TypeError('fetch failed');
    return answer();
  };

  async function logIn(id: number): Promise<void> {
    answers['POST /api/auth/login'] = () =>
      signedIn({ access_token: tokens[id], user: { id, name: `User ${id}`, avatar: null, role: 'user' } });
    await client.session.logIn('account', 'password');
  }

  async function changeUser(): Promise<void> {
    const leaving = client.session.logOut();
    await jest.advanceTimersByTimeAsync(30_000);
    await leaving;
    await logIn(BOB);
  }

  const pending = () => chat.getSnapshot()?.pending.map(({ body, error }) => [body.content, error?.code]);

  beforeEach(async () => {
    jest.useFakeTimers();
    // The longest waits, so that the time of each retry is known.
    jest.spyOn(Math, 'random').mockReturnValue(1);
    tokens = { [AMY]: 'of Amy', [BOB]: 'of Bob' };
    sentWith = [];
    answers = { 'POST /api/auth/logout': () => success(null) };
    client = new Callboard({ baseUrl: 'http://service.test', fetch: fetchScripted });
    await logIn(AMY);
    chat = client.live.messages(3);
  });
  afterEach(() => {
    chat.close();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('keeps a message whose request fails after another user has signed in, and does not repeat it as that user', async () => {
    const response = Promise.withResolvers<Response>();
    answers[SEND] = () => response.promise;
    const sending = chat.send({ type: 'text', content: 'by Amy' });
    await jest.advanceTimersByTimeAsync(0);
    chat.close();
    await changeUser();
    answers[SEND] = () => success({ id: 1 });
    response.resolve(failure(503, '服务暂不可用'));
    await jest.advanceTimersByTimeAsync(60_000);
    await sending;
    expect(sentWith).toEqual(['Bearer of Amy']);
    expect(pending()).toEqual([['by Amy', 'signed_out']]);
  });

  it('does not send a message as another user when the connection is back', async () => {
    const sending = chat.send({ type: 'text', content: 'by Amy' });
    // The third retry failed after 7.8 seconds, the fourth starts after 9.8.
    await jest.advanceTimersByTimeAsync(9_000);
    await sending;
    expect(pending()).toEqual([['by Amy', 'network']]);
    await logIn(BOB);
    answers[SEND] = () => success({ id: 1 });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(new Set(sentWith)).toEqual(new Set(['Bearer of Amy']));
  });
});
