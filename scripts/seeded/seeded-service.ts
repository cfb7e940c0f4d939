import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Config, loadConfig } from '../../src/config/config';
import { withLocalSecrets } from '../../src/config/local-secrets';
import { createApp } from '../../src/create-app';
import { AccountsService } from '../../src/identity/accounts.service';
import { hasPages } from '../../src/pages/serve-pages';
import { signAccessToken } from '../sign-access-token';
import { AdjustableClock } from './adjustable-clock';
import { resolveReferences, type Seed, type SeedRequest } from './seed-file';

/** Lifetime of the tokens of the state: longer than any test advances the clock. */
const TOKEN_TTL_SECONDS = 10 * 365 * 86_400;
const PAGES = join(__dirname, '../../web');

/** Standard output contains only the state. */
const LOG = { write: (line: string): void => void process.stderr.write(line) };

/** Address, users and ids of the seeded data, for tests. */
export interface SeededState {
  url: string;
  /** The users of the seed file by key. */
  users: Record<string, { id: number; token: string }>;
  /** The ids of the results that the seed file names with `save`. */
  ids: Record<string, number>;
}

/**
 * A service on a temporary SQLite database with the data of a seed file. A reset replaces the application and its
 * database by a copy of the seeded one, so no cache or connection survives it.
 */
export class SeededService {
  #app?: NestFastifyApplication;
  #clock = new AdjustableClock();
  #port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'callboard-seeded-'));
  readonly #users: SeededState['users'] = {};
  readonly #ids: SeededState['ids'] = {};

  private constructor(port: number) {
    this.#port = port;
  }

  /**
   * Creates the data and starts the service.
   * @param port port of the service; 0: any free port, which resets keep
   * @throws {Error} with the response of the first request that fails
   */
  static async start(seed: Seed, port: number): Promise<SeededService> {
    const service = new SeededService(port);
    try {
      await service.#create(seed);
      await service.#listen();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  get state(): SeededState {
    return { url: `http://127.0.0.1:${this.#port}`, users: this.#users, ids: this.#ids };
  }

  /** Moves the clock of the service forward: deadlines in between expire within about a second. */
  advanceClock(seconds: number): void {
    this.#clock.advance(seconds);
  }

  /** Restores the data and the clock as they were after the start. Open connections are closed. */
  async reset(): Promise<void> {
    await this.#stop();
    await this.#listen();
  }

  async close(): Promise<void> {
    await this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #stop(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
  }

  async #create({ users, requests }: Seed): Promise<void> {
    const config = this.#configFor('seeded');
    this.#app = await createApp(config, { clock: this.#clock, logTo: LOG });
    const accounts = this.#app.get(AccountsService);
    const ids = new Map<string, number>();
    for (const [key, { name, role, password = randomBytes(24).toString('base64') }] of users) {
      const { id } = await accounts.create({ account: key, name, role, password });
      this.#users[key] = { id, token: await signAccessToken(config, { id, name, role }, TOKEN_TTL_SECONDS) };
      ids.set(key, id);
    }
    for (const [index, request] of requests.entries()) {
      const data = await this.#send(this.#app, request, ids).catch((error: Error) => {
        throw new Error(`requests[${index}] ${request.method} ${request.path}: ${error.message}`);
      });
      if (request.save === undefined) continue;
      const id = idIn(data);
      if (id === undefined) throw new Error(`requests[${index}]: the response contains no id to save`);
      this.#ids[request.save] = id;
      ids.set(request.save, id);
    }
    await this.#stop();
  }

  async #send(
    app: NestFastifyApplication,
    { as, method, path, body }: SeedRequest,
    ids: ReadonlyMap<string, number>,
  ): Promise<unknown> {
    const response = await app.inject({
      method: method as 'POST',
      url: resolveReferences(path, ids) as string,
      headers: { authorization: `Bearer ${this.#users[as]?.token}` },
      ...(body !== undefined && { payload: resolveReferences(body, ids) as object }),
    });
    const { code, message, data } = response.json<{ code: number; message: string; data: unknown }>();
    if (code !== 0) throw new Error(`${code} ${message}`);
    return data;
  }

  async #listen(): Promise<void> {
    const current = join(this.#folder, 'current');
    rmSync(current, { recursive: true, force: true });
    cpSync(join(this.#folder, 'seeded'), current, { recursive: true });
    const config = this.#configFor('current');
    this.#clock = new AdjustableClock();
    this.#app = await createApp(config, {
      clock: this.#clock,
      logTo: LOG,
      ...(hasPages(config, PAGES) && { pages: PAGES }),
    });
    await this.#app.listen(this.#port, config.host);
    this.#port = (this.#app.getHttpServer().address() as { port: number }).port;
  }

  #configFor(name: string): Config {
    const folder = join(this.#folder, name);
    const { config } = withLocalSecrets(
      loadConfig({
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: '0',
        ...process.env,
        NODE_ENV: 'development',
        DATABASE_URL: `sqlite:${join(folder, 'callboard.sqlite')}`,
        ATTACHMENT_STORAGE: `file:${join(folder, 'attachments')}`,
        DEMO_DATA: 'off',
      }),
    );
    return config;
  }
}

/** Returns the id of a result: its `id`, or else its only field that ends in `_id`. */
function idIn(data: unknown): number | undefined {
  const fields = Object.entries(data ?? {});
  const [, id] =
    fields.find(([name]) => name === 'id') ?? fields.find(([name]) => name.endsWith('_id')) ?? [];
  return typeof id === 'number' ? id : undefined;
}
