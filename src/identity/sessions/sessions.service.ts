import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager, In, IsNull, Not } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import type { GivenUp } from '../../common/http/given-up.decorator';
import { CONFIG, type Config } from '../../config/config';
import { Transactions } from '../../database/transactions';
import { RefreshTokenEntity } from '../entities/refresh-token.entity';
import { SessionEntity } from '../entities/session.entity';
import { USER_ENABLED, UserEntity } from '../entities/user.entity';
import { noteAdministratorsLogIn, noteIssuedTokens } from '../events/user-audit';
import { TokenAdmission } from '../tokens/token-admission';
import { requireKey } from './key-sessions.queries';
import { columnsOf, type SessionClient } from './session-client';

/** A refresh token that comes back this soon after its use is another tab's, not a thief's (contract 2). */
const SECOND_USE_FORGIVEN_MS = 10_000;
const REFRESH_TOKEN_BYTES = 32;

/** A session with the refresh token that continues it. */
export interface OpenSession {
  id: string;
  user: UserEntity;
  /** What its access tokens say. */
  role: Role;
  refreshToken: string;
}

/** Sessions: opened by log-in, continued by refreshing, ended by logging out, by a new password, or as stolen. */
@Injectable()
export class SessionsService {
  readonly #log = new Logger('Sessions');
  readonly #auth: Config['auth'];

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly admission: TokenAdmission,
  ) {
    this.#auth = auth;
  }

  /** Opens a session of a user; undefined when the user was disabled or got another password since it was read. */
  open(user: UserEntity, client: SessionClient): Promise<OpenSession | undefined> {
    const { id: userId, password_hash } = user;
    return this.transactions.run(async (em) => {
      // Changes nothing, but holds the row to the commit: whoever disables the user or sets a password comes before
      // or after, and in the latter case ends this session too.
      const row = { id: userId, password_hash: password_hash ?? '', status: USER_ENABLED };
      const held = await em.update(UserEntity, row, { status: USER_ENABLED });
      if (held.affected !== 1) return undefined;
      noteAdministratorsLogIn(em, user, client.userAgent ?? null);
      return this.#begin(em, user, client);
    });
  }

  /**
   * Opens a session that somebody else asks for: its tokens stay those of an ordinary user, whatever the user becomes.
   * @param keyId the key that asks; undefined: an administrator
   * @returns undefined where there is no such user, or one who is disabled or an administrator
   * @throws {BusinessError} ADMIN_UNAUTHORIZED: the key was revoked
   */
  openForUser(
    userId: number,
    client: SessionClient,
    keyId: number | undefined,
  ): Promise<OpenSession | undefined> {
    return this.transactions.run(async (em) => {
      // Before the user's row: a transaction that revokes the key locks it and no user.
      if (keyId !== undefined) await requireKey(em, keyId);
      // Held as above: whoever disables the user or makes an administrator of it comes before or after.
      const row = { id: userId, role: 'user' as const, status: USER_ENABLED };
      const held = await em.update(UserEntity, row, { status: USER_ENABLED });
      if (held.affected !== 1) return undefined;
      noteIssuedTokens(em, userId);
      const user = await em.findOneByOrFail(UserEntity, { id: userId });
      return this.#begin(em, user, client, { token_role: 'user', api_key_id: keyId ?? null });
    });
  }

  /**
   * Exchanges a refresh token for the next one of its session. It stays good when nobody is there to receive the next.
   * @param client who asks
   * @param isGivenUp whether the answer can no longer reach the client
   * @throws {BusinessError} SESSION_OVER for a token that is unknown, expired, revoked or used. One that was used
   *   more than ten seconds ago has been stolen, from whichever side: its session ends.
   */
  async rotate(refreshToken: string, client: SessionClient, isGivenUp: GivenUp): Promise<OpenSession> {
    const { token, session } = await this.#find(refreshToken);
    const now = this.clock.now();
    if (!token || !session) throw sessionOver('refresh token unknown');
    if (token.expires_at <= now) throw sessionOver('refresh token expired');
    if (token.used_at !== null) {
      if (now.getTime() - token.used_at.getTime() > SECOND_USE_FORGIVEN_MS) await this.#endStolen(session);
      throw sessionOver('refresh token used');
    }
    const next = await this.transactions.run(async (em) => {
      const exchanged = await this.#exchange(em, token, session, client);
      if (isGivenUp()) throw new BusinessError('UNAVAILABLE');
      return exchanged;
    });
    if (!isGivenUp()) return next;
    await this.#takeBack(token, next);
    throw new BusinessError('UNAVAILABLE');
  }

  /** Ends the session of a refresh token, used or not; any other token is nobody's. */
  async end(refreshToken: string): Promise<void> {
    const { session } = await this.#find(refreshToken);
    if (session) await this.#end(session);
  }

  /** Ends one session of a user, with what else `ended` does then; answers whether there was one. */
  async endOne(userId: number, id: string, ended: (em: EntityManager) => void): Promise<boolean> {
    const wasThere = await this.transactions.run(async (em) => {
      const { affected } = await em.delete(SessionEntity, { id, user_id: userId });
      if (affected === 1) ended(em);
      return affected === 1;
    });
    this.admission.forget(userId);
    return wasThere;
  }

  /** Ends every session of a user but the one given, with what else `ended` does then where there were any. */
  async endOthers(
    userId: number,
    exceptId: string | undefined,
    ended: (em: EntityManager, count: number) => void = () => undefined,
  ): Promise<void> {
    await this.transactions.run(async (em) => {
      const count = await this.endAll(em, userId, exceptId);
      if (count > 0) ended(em, count);
    });
    this.admission.forget(userId);
  }

  /** Ends every session of a user but the one given, within the transaction that gives the reason; answers how many. */
  async endAll(em: EntityManager, userId: number, exceptId?: string): Promise<number> {
    const others = { user_id: userId, ...(exceptId !== undefined && { id: Not(exceptId) }) };
    const { affected } = await em.delete(SessionEntity, others);
    return affected ?? 0;
  }

  /** Ends all sessions of several users, with what else `em` does. */
  async endAllOf(em: EntityManager, userIds: number[]): Promise<void> {
    await em.delete(SessionEntity, { user_id: In(userIds) });
  }

  /** Makes a change to a user and ends the user's sessions but the one given, as one; both count here at once. */
  async endAllWith(
    userId: number,
    change: (em: EntityManager) => Promise<void>,
    exceptId?: string,
  ): Promise<void> {
    await this.transactions.run(async (em) => {
      await change(em);
      await this.endAll(em, userId, exceptId);
    });
    this.admission.forget(userId);
  }

  async #begin(
    em: EntityManager,
    user: UserEntity,
    client: SessionClient,
    issued: Pick<SessionEntity, 'token_role' | 'api_key_id'> = { token_role: null, api_key_id: null },
  ): Promise<OpenSession> {
    const id = randomUUID();
    const row = { id, user_id: user.id, created_at: this.clock.now(), ...issued, ...this.#usedBy(client) };
    await em.insert(SessionEntity, row);
    return { id, user, role: issued.token_role ?? user.role, refreshToken: await this.#giveOut(em, id) };
  }

  async #find(
    refreshToken: string,
  ): Promise<{ token: RefreshTokenEntity | null; session: SessionEntity | null }> {
    const { manager } = this.dataSource;
    const token = await manager.findOneBy(RefreshTokenEntity, { hash: hashOf(refreshToken) });
    const session = token && (await manager.findOneBy(SessionEntity, { id: token.session_id }));
    return { token, session };
  }

  async #exchange(
    em: EntityManager,
    { hash }: RefreshTokenEntity,
    { id, user_id, token_role }: SessionEntity,
    client: SessionClient,
  ): Promise<OpenSession> {
    const used = await em.update(
      RefreshTokenEntity,
      { hash, used_at: IsNull() },
      { used_at: this.clock.now() },
    );
    const prolonged = await em.update(SessionEntity, { id }, this.#usedBy(client));
    // Another request was faster with the same token, or the session has just been ended.
    if (used.affected !== 1 || prolonged.affected !== 1) throw sessionOver('refresh token used');
    // Read here, since nothing may be asked for, and fail, once the token is used up.
    const user = await em.findOneByOrFail(UserEntity, { id: user_id });
    return { id, user, role: token_role ?? user.role, refreshToken: await this.#giveOut(em, id) };
  }

  /** The client gave up during the commit. Nobody has the next token, so the one before may be good again. */
  async #takeBack({ hash }: RefreshTokenEntity, next: OpenSession): Promise<void> {
    await this.transactions.run(async (em) => {
      await em.delete(RefreshTokenEntity, { hash: hashOf(next.refreshToken) });
      await em.update(RefreshTokenEntity, { hash }, { used_at: null });
    });
  }

  async #giveOut(em: EntityManager, sessionId: string): Promise<string> {
    const refreshToken = newRefreshToken();
    const expires_at = plusSeconds(this.clock.now(), this.#auth.refreshTokenTtlSeconds);
    await em.insert(RefreshTokenEntity, {
      hash: hashOf(refreshToken),
      session_id: sessionId,
      used_at: null,
      expires_at,
    });
    return refreshToken;
  }

  async #endStolen(session: SessionEntity): Promise<void> {
    await this.#end(session);
    this.#log.warn(
      `a used refresh token came back: session ${session.id} of user ${session.user_id} was ended`,
    );
  }

  async #end({ id, user_id }: SessionEntity): Promise<void> {
    await this.dataSource.manager.delete(SessionEntity, { id });
    this.admission.forget(user_id);
  }

  /** What a session's row says once its owner has logged in or refreshed. */
  #usedBy(client: SessionClient) {
    const { refreshTokenTtlSeconds, accessTokenTtlSeconds } = this.#auth;
    const now = this.clock.now();
    const expires_at = plusSeconds(now, Math.max(refreshTokenTtlSeconds, accessTokenTtlSeconds));
    return { expires_at, last_used_at: now, ...columnsOf(client) };
  }
}

const sessionOver = (reason: string): BusinessError => new BusinessError('SESSION_OVER', { reason });

/** A new refresh token: 256 random bits. */
export const newRefreshToken = (): string => randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');

/** The form in which a refresh token is stored; random bits need no salt and no slow hash. */
export const hashOf = (refreshToken: string): string =>
  createHash('sha256').update(refreshToken).digest('base64url');
