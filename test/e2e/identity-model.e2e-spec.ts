import * as fc from 'fast-check';
import { createUser, login, PASSWORD, refresh } from '../support/accounts';
import type { ApiClient } from '../support/api-client';
import { propertyRuns } from '../support/property-runs';
import { createTestApp, type TestApp } from '../support/test-app';

const REFRESH_TTL = 1000;
const ACCESS_TTL = 300;

/** The expected state of a session. */
interface Session {
  alive: boolean;
  access: { token: string; expiresAt: number }[];
  refresh: { token: string; expiresAt: number; usedAt?: number }[];
}

/** The expected state of a user, by the rules of API 3.1. */
interface Model {
  id: number;
  account: string;
  password: string;
  enabled: boolean;
  /** Seconds since the run began. */
  now: number;
  sessions: Session[];
  /** Failed log-ins. Kept below ten, where the rate limit applies. */
  refusals: number;
}

interface Real {
  test: TestApp;
  admin: ApiClient;
}

type Command = fc.AsyncCommand<Model, Real>;

const storeTokens = (
  model: Model,
  session: Session,
  data: { access_token: string; refresh_token: string },
): void => {
  session.access.push({ token: data.access_token, expiresAt: model.now + ACCESS_TTL });
  session.refresh.push({ token: data.refresh_token, expiresAt: model.now + REFRESH_TTL });
};

const endAll = (model: Model, except?: Session): void => {
  for (const session of model.sessions) if (session !== except) session.alive = false;
};

/** Returns an item by a number from 0 that may exceed the length of the list. */
const pick = <T>(list: T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

/** An action, after which every issued access token is tested. */
abstract class Step implements Command {
  check(_model: Readonly<Model>): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.apply(model, real);
    for (const { alive, access } of model.sessions) {
      for (const { token, expiresAt } of access) {
        const { status } = await real.test.api.withToken(token).get('/api/auth/me');
        expect(status).toBe(model.enabled && alive && model.now < expiresAt ? 200 : 401);
      }
    }
  }

  protected abstract apply(model: Model, real: Real): Promise<void>;
}

/** A step of a user who has logged in. */
abstract class SessionStep extends Step {
  override check(model: Readonly<Model>): boolean {
    return model.sessions.length > 0;
  }
}

class LogIn extends Step {
  override check(model: Readonly<Model>): boolean {
    return model.enabled || model.refusals < 9;
  }

  protected async apply(model: Model, { test }: Real): Promise<void> {
    const { status, body } = await login(test.api, model.account, model.password);
    expect(status).toBe(model.enabled ? 200 : 401);
    if (status !== 200) {
      model.refusals += 1;
      return;
    }
    const session: Session = { alive: true, access: [], refresh: [] };
    storeTokens(model, session, body.data);
    model.sessions.push(session);
  }

  override toString = (): string => 'log in';
}

class Refresh extends SessionStep {
  constructor(
    private readonly which: number,
    private readonly age: number,
  ) {
    super();
  }

  protected async apply(model: Model, { test }: Real): Promise<void> {
    const session = pick(model.sessions.toReversed(), this.which) as Session;
    const token = pick(session.refresh.toReversed(), this.age);
    if (!token) return;
    const { status, body } = await refresh(test.api, { refresh_token: token.token });
    const isAlive = session.alive && model.now < token.expiresAt;
    expect(status).toBe(isAlive && token.usedAt === undefined ? 200 : 401);
    if (!isAlive) return;
    if (token.usedAt !== undefined) {
      if (model.now - token.usedAt > 10) session.alive = false;
      return;
    }
    token.usedAt = model.now;
    storeTokens(model, session, body.data);
  }

  override toString = (): string => `refresh session ${this.which} with its ${this.age}th newest token`;
}

class LogOut extends SessionStep {
  constructor(
    private readonly which: number,
    private readonly age: number,
  ) {
    super();
  }

  protected async apply(model: Model, { test }: Real): Promise<void> {
    const session = pick(model.sessions.toReversed(), this.which) as Session;
    const token = pick(session.refresh.toReversed(), this.age);
    const response = await test.api.post('/api/auth/logout', { refresh_token: token?.token });
    expect(response.status).toBe(200);
    session.alive = false;
  }

  override toString = (): string => `log out of session ${this.which}`;
}

class ChangePassword extends SessionStep {
  constructor(private readonly which: number) {
    super();
  }

  protected async apply(model: Model, { test }: Real): Promise<void> {
    const session = pick(model.sessions.toReversed(), this.which) as Session;
    const token = session.access.at(-1);
    const new_password = `${model.password.slice(0, 100)}+`;
    const body = { old_password: model.password, new_password };
    const response = await test.api.withToken(token?.token ?? '').put('/api/auth/password', body);
    const works = model.enabled && session.alive && token !== undefined && model.now < token.expiresAt;
    expect(response.status).toBe(works ? 200 : 401);
    if (!works) return;
    model.password = new_password;
    endAll(model, session);
  }

  override toString = (): string => `change the password in session ${this.which}`;
}

class SetPassword extends Step {
  protected async apply(model: Model, { admin }: Real): Promise<void> {
    await admin.put(`/api/admin/users/${model.id}/password`, { password: PASSWORD });
    model.password = PASSWORD;
    endAll(model);
  }

  override toString = (): string => 'set the password';
}

class SetStatus extends Step {
  constructor(private readonly enabled: boolean) {
    super();
  }

  protected async apply(model: Model, { admin }: Real): Promise<void> {
    await admin.put(`/api/admin/users/${model.id}`, { status: this.enabled ? 1 : 0 });
    model.enabled = this.enabled;
    if (!this.enabled) endAll(model);
  }

  override toString = (): string => (this.enabled ? 'enable' : 'disable');
}

class Wait extends Step {
  constructor(private readonly seconds: number) {
    super();
  }

  protected async apply(model: Model, { test }: Real): Promise<void> {
    test.clock.advance(this.seconds);
    model.now += this.seconds;
  }

  override toString = (): string => `wait ${this.seconds} s`;
}

const session = fc.constantFrom(0, 0, 1);
const refreshWith = (age: number) => session.map((which) => new Refresh(which, age));
const waitFor = (...seconds: number[]) => fc.constantFrom(...seconds).map((time) => new Wait(time));

describe('Sessions', () => {
  it('match a model after random operations', async () => {
    const test = await createTestApp({
      env: { ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TTL), REFRESH_TOKEN_TTL_SECONDS: String(REFRESH_TTL) },
    });
    const admin = await test.api.as({ id: 900_001, role: 'admin' });
    const commands = fc.commands(
      [
        fc.constant(new LogIn()),
        fc.constant(new LogIn()),
        ...[0, 0, 0, 1, 1, 1, 2].map(refreshWith),
        fc.tuple(session, fc.nat({ max: 2 })).map(([which, age]) => new LogOut(which, age)),
        session.map((which) => new ChangePassword(which)),
        fc.constant(new SetPassword()),
        fc.constantFrom(true, true, false).map((enabled) => new SetStatus(enabled)),
        waitFor(5, 10, 11),
        waitFor(11, 12, 60),
        waitFor(11, 150, 300, 1000),
      ],
      { maxCommands: 60, size: 'max' },
    );
    let runs = 0;
    const property = fc.asyncProperty(commands, async (sequence) => {
      const account = `model-${(runs += 1)}`;
      const id = await createUser(admin, account);
      test.clock.advance(900);
      const model = { id, account, password: PASSWORD, enabled: true, now: 0, sessions: [], refusals: 0 };
      await new LogIn().run(model, { test, admin });
      await fc.asyncModelRun(() => ({ model, real: { test, admin } }), sequence);
    });
    await fc.assert(property, propertyRuns(15));
    await test.close();
  });
});
