import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { EventReader } from './event-reader';
import { agoraBody } from './media-webhooks';
import { signToken } from './tokens';

/** Secrets in the configuration of the service. */
export const SECRETS = {
  JWT_SECRET: 'current-secret-of-the-tests-with-32-bytes-or-more',
  JWT_SECRET_PREVIOUS: 'previous-secret-of-the-tests-with-32-bytes-or-more',
  AGORA_APP_CERTIFICATE: '5cfd2fd1755d40ecb72977518be15d3b',
  AGORA_WEBHOOK_SECRET: 'the-secret-of-the-webhooks',
};
/** Passwords that are used or guessed. */
export const PASSWORDS = ['first-password', 'second-password', 'third-password', 'guessed-password'] as const;
/** Content of a message. */
export const PRIVATE_TEXT = 'what-nobody-else-may-read';

/** Uses the service in every way that involves a secret, and collects the secrets. */
export class SecretProbe {
  /** Every text that must not be in a log, in order of occurrence. */
  readonly secrets = new Set<string>([...Object.values(SECRETS), ...PASSWORDS, PRIVATE_TEXT]);
  readonly statuses = new Set<number>();
  /** The cookie of the last response that set one. */
  #cookie = '';

  constructor(private readonly url: string) {}

  /** Sends a request and collects the secrets of the response. */
  async send(
    method: string,
    path: string,
    { token, headers = {}, body }: { token?: string; headers?: Record<string, string>; body?: unknown } = {},
  ) {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    if (token !== undefined) this.secrets.add(token);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    this.statuses.add(response.status);
    const [cookie = '', refreshToken] =
      /^callboard_refresh=([\w-]+)/.exec(response.headers.get('set-cookie') ?? '') ?? [];
    if (refreshToken !== undefined) {
      this.#cookie = cookie;
      this.secrets.add(refreshToken);
    }
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of any shape
    const { data } = (await response.json()) as { data: any };
    for (const name of ['access_token', 'refresh_token', 'rtc_token', 'key'])
      if (data?.[name]) this.secrets.add(data[name]);
    return data;
  }

  login(account: string, password: string) {
    return this.send('POST', '/api/auth/login', { body: { account, password } });
  }

  /** Successful and failed log-ins, new passwords, and refresh tokens that are used, reused and invalid. */
  async accounts(admin: string): Promise<void> {
    const [first, second, third, guess] = PASSWORDS;
    const { id } = await this.send('POST', '/api/admin/users', {
      token: admin,
      body: { account: 'ann', password: first, name: 'Ann' },
    });
    await this.login('ann', guess);
    await this.login('nobody', guess);
    const { access_token, refresh_token } = await this.login('ann', first);
    await this.send('GET', '/api/auth/me', { token: access_token });
    const next = await this.send('POST', '/api/auth/refresh', { body: { refresh_token } });
    await this.send('POST', '/api/auth/refresh', { body: { refresh_token } });
    await this.send('POST', '/api/auth/logout', { body: { refresh_token: next.refresh_token } });
    await this.send('POST', '/api/auth/login', { body: { account: 'ann', password: first, cookie: true } });
    for (const [path, origin] of [
      ['refresh', 'https://elsewhere.example'],
      ['refresh', this.url],
      ['logout', this.url],
      ['refresh', this.url],
    ] as const)
      await this.send('POST', `/api/auth/${path}`, { headers: { cookie: this.#cookie, origin } });
    const again = await this.login('ann', first);
    const change = { old_password: first, new_password: second };
    await this.send('PUT', '/api/auth/password', { token: again.access_token, body: change });
    await this.send('PUT', '/api/auth/password', { token: again.access_token, body: change });
    await this.send('PUT', `/api/admin/users/${id}/password`, { token: admin, body: { password: third } });
    await this.send('POST', '/api/auth/login', { body: `{"account":"ann","password":"${third}"` });
    await this.send('POST', '/api/auth/login', { body: { account: 'ann', password: [third] } });
    await this.send('POST', `/api/auth/login?password=${third}`, { body: {} });
    for (let attempt = 1; attempt <= 11; attempt += 1) await this.login('ann', guess);
  }

  /** Invalid tokens, and valid ones in places where they are not accepted. */
  async tokens(): Promise<void> {
    const bad = [
      'junk-that-is-no-token',
      await signToken({ sub: '1', exp: 1 }, SECRETS.JWT_SECRET),
      await signToken({ sub: '1' }, 'a-secret-that-is-not-the-right-one-at-all'),
      await signToken({ sub: 'nobody' }, SECRETS.JWT_SECRET),
      `${Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url')}.e30.signature-of-nobody`,
    ];
    for (const token of bad) await this.send('GET', '/api/calls/active', { token });
    const good = await signToken({ sub: '1' }, SECRETS.JWT_SECRET);
    this.secrets.add(good);
    await this.send('GET', `/api/calls?access_token=${good}&token=${good}`);
    await this.send('GET', `/api/nothing/${good}`, { token: good });
    await this.send('GET', '/api/calls', {
      headers: { authorization: `Basic ${btoa('ann:first-password')}` },
    });
    this.secrets.add(btoa('ann:first-password'));
    for (const request of [
      `GET /api/calls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${good}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      `NONSENSE ${good}\r\n\r\n`,
    ]) {
      const { hostname, port } = new URL(this.url);
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      socket.end(request);
      await once(socket.resume(), 'close');
    }
  }

  /** API keys: used, misused, in wrong places, revoked. Returns a valid one. */
  async keys(admin: string): Promise<string> {
    const path = '/api/admin/keys';
    const body = { name: PRIVATE_TEXT, scopes: ['users:read', 'tokens:issue', 'messages:send-as'] };
    const { id, key } = await this.send('POST', path, { token: admin, body });
    const good = (await this.send('POST', path, { token: admin, body })).key as string;
    for (const text of [key, good]) this.secrets.add(text.split('_').slice(2).join('_'));
    await this.send('GET', '/api/admin/users', { token: key });
    await this.send('GET', path, { token: key });
    await this.send('GET', `/api/admin/users?key=${key}&keyword=${key}`, { token: `${key}A` });
    await this.send('PUT', `/api/admin/keys/${key}`, { token: key, body: { name: key } });
    await this.send('POST', '/api/admin/users/1/tokens', { token: key, headers: { 'x-api-key': key } });
    const headers = { 'x-on-behalf-of': `ext:${PRIVATE_TEXT}` };
    await this.send('POST', '/api/messages/conversations', { token: key, headers, body: { type: key } });
    await this.send('GET', '/api/admin/users', { headers: { authorization: `Basic ${key}` } });
    await this.send('DELETE', `${path}/${id}`, { token: admin });
    await this.send('GET', '/api/admin/users', { token: key });
    return good;
  }

  /** Calls with their media tokens, webhooks of the provider, messages, and a stream. */
  async traffic(admin: string): Promise<void> {
    const [one, two] = await Promise.all(
      ['101', '102'].map((sub) => signToken({ sub }, SECRETS.JWT_SECRET_PREVIOUS)),
    );
    const reader = await EventReader.open(this.url, { userId: 102, token: two });
    await this.send('GET', '/api/calls/active', { token: one });
    const call = await this.send('POST', '/api/calls', { token: one, body: { callee_id: 102 } });
    await this.send('POST', `/api/calls/${call.call_id}/accept`, { token: two });
    await this.send('POST', `/api/calls/${call.call_id}/token`, { token: one });
    await reader.atLeast(1);
    reader.close();
    const notice = agoraBody({ eventType: 103, channelName: call.channel_name, uid: 1 });
    const right = createHmac('sha256', SECRETS.AGORA_WEBHOOK_SECRET).update(notice).digest('hex');
    for (const signature of [right, SECRETS.AGORA_WEBHOOK_SECRET]) {
      const headers = { 'agora-signature-v2': signature };
      await this.send('POST', '/api/media/webhooks/agora', { headers, body: notice });
    }
    const accounts = { type: 'single', peer_id: 102 };
    const conversation = await this.send('POST', '/api/messages/conversations', {
      token: one,
      body: accounts,
    });
    const path = `/api/messages/conversations/${conversation.id}/messages`;
    await this.send('POST', path, { token: one, body: { type: 'text', content: PRIVATE_TEXT } });
    await this.send('POST', path, { token: one, body: { type: PRIVATE_TEXT, content: 5 } });
    const text = { broadcast: true, type: 'news', title: PRIVATE_TEXT, content: PRIVATE_TEXT };
    await this.send('POST', '/api/admin/notifications', { token: admin, body: text });
  }

  /** Requests that fail once the tables of sessions, histories and messages are dropped. */
  async missingTables(admin: string): Promise<void> {
    const [password] = PASSWORDS;
    const body = { account: 'bob', password, name: 'Bob' };
    await this.send('POST', '/api/admin/users', { token: admin, body });
    await this.login('bob', password);
    const refresh_token = 'a-refresh-token-of-nobody';
    this.secrets.add(refresh_token);
    await this.send('POST', '/api/auth/refresh', { body: { refresh_token } });
    await this.send('GET', '/api/calls', { token: admin });
    const token = await signToken({ sub: '101' }, SECRETS.JWT_SECRET);
    const text = { type: 'text', content: PRIVATE_TEXT };
    await this.send('POST', '/api/messages/conversations/1/messages', { token, body: text });
  }
}
