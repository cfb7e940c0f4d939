import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../../common/auth/principal';
import { Clock, plusSeconds } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import type { RequestAborted } from '../../common/http/request-aborted.decorator';
import { CONFIG, type Config } from '../../config/config';
import { onCommit } from '../../database/transaction-hooks';
import { Transactions } from '../../database/transactions';
import type { RefreshTokenEntity } from '../entities/refresh-token.entity';
import type { SessionEntity } from '../entities/session.entity';
import type { UserEntity } from '../entities/user.entity';
import { noteAdministratorsLogIn, noteIssuedTokens } from '../events/user-audit';
import { TokenAuthenticator } from '../tokens/token-authenticator';
import { lockEnabled } from '../user-rows.store';
import { userById } from '../users.store';
import { columnsOf, type SessionClient } from './session-client';
import {
  deleteSession,
  deleteSessionsOfKey,
  insertSession,
  insertToken,
  requireKey,
  revertToken,
  tokenAndSession,
  updateSession,
  useToken,
} from './sessions.store';

/** Reuse of a refresh token within this time is attributed to another browser tab, not to theft (API 2.6). */
const REUSE_GRACE_MS = 10_000;
const REFRESH_TOKEN_BYTES = 32;
const KEY_BATCH_SIZE = 500;

/** An open session and its current refresh token. */
export interface OpenSession {
  id: string;
  user: UserEntity;
  /** The role in its access tokens. */
  role: Role;
  refreshToken: string;
}

/**
 * Opens and refreshes sessions. Ends them by logout, for an API key that is being revoked, and when reuse of a refresh
 * token indicates theft. `CredentialsService`, `UserChanges` and `UserSessionsService` end them by `deleteSessionsOf` and
 * `deleteSession`.
 */
@Injectable()
export class SessionsService {
  readonly #log = new Logger('Sessions');
  readonly #auth: Config['auth'];

  constructor(
    @Inject(CONFIG) { auth }: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly authenticator: TokenAuthenticator,
  ) {
    this.#auth = auth;
  }

  /** Opens a session for a user; undefined if the user was disabled or the password changed since the user was read. */
  open(user: UserEntity, client: SessionClient): Promise<OpenSession | undefined> {
    const { id, password_hash } = user;
    return this.transactions.run(async (em) => {
      // A transaction that disables the user or sets a password is serialised with this one: it commits before, and no
      // row is locked, or after, and ends this session too.
      if (!(await lockEnabled(em, { id, password_hash: password_hash ?? '' }))) return undefined;
      noteAdministratorsLogIn(em, user, client.userAgent ?? null);
      return this.#insertSession(em, user, client);
    });
  }

  /**
   * Opens a session for a user on behalf of an administrator or an API key. Its tokens keep the role `user`, even if
   * the user becomes an administrator.
   * @param keyId the API key that sends the request; undefined: an administrator
   * @returns undefined for an unknown or disabled user and for an administrator
   * @throws {BusinessError} ADMIN_UNAUTHORIZED: the key was revoked
   */
  openForUser(
    userId: number,
    client: SessionClient,
    keyId: number | undefined,
  ): Promise<OpenSession | undefined> {
    return this.transactions.run(async (em) => {
      // Lock order: the key before the user. A transaction that revokes the key locks the key and no user.
      if (keyId !== undefined) await requireKey(em, keyId);
      // Locks the user's row as in `open`: disabling the user or making it an administrator commits before or after.
      if (!(await lockEnabled(em, { id: userId, role: 'user' }))) return undefined;
      noteIssuedTokens(em, userId);
      const user = await userById(em, userId);
      return this.#insertSession(em, user, client, { token_role: 'user', api_key_id: keyId ?? null });
    });
  }

  /**
   * Exchanges a refresh token for the next one of its session. If the client has disconnected, the old token stays
   * valid.
   * @param client the client that sends the request
   * @param isGivenUp returns whether the client has disconnected
   * @throws {BusinessError} SESSION_OVER for an unknown, expired, revoked or used token. Reuse after more than ten
   *   seconds indicates theft, by one side or the other: it ends the session. UNAVAILABLE if the client has
   *   disconnected
   */
  async rotate(refreshToken: string, client: SessionClient, isGivenUp: RequestAborted): Promise<OpenSession> {
    const { token, session } = await tokenAndSession(this.transactions.read(), hashOf(refreshToken));
    const now = this.clock.now();
    if (!token || !session) throw sessionOver('refresh token unknown');
    if (token.expires_at <= now) throw sessionOver('refresh token expired');
    if (token.used_at !== null) {
      if (now.getTime() - token.used_at.getTime() > REUSE_GRACE_MS) await this.#endStolen(session);
      throw sessionOver('refresh token used');
    }
    const next = await this.transactions.run(async (em) => {
      const exchanged = await this.#exchange(em, token, session, client);
      if (isGivenUp()) throw new BusinessError('UNAVAILABLE');
      return exchanged;
    });
    if (!isGivenUp()) return next;
    // The client disconnected during the commit, and never received the next token.
    await this.transactions.run((em) => revertToken(em, hashOf(next.refreshToken), token.hash));
    throw new BusinessError('UNAVAILABLE');
  }

  /** Ends the session of a refresh token, used or not. An unknown token is ignored. */
  async end(refreshToken: string): Promise<void> {
    const { session } = await tokenAndSession(this.transactions.read(), hashOf(refreshToken));
    if (session) await this.#end(session);
  }

  /**
   * Ends some sessions that an API key with `tokens:issue` opened (API 4.1), and returns whether there may be more. After
   * the commit their access tokens are rejected: on this instance immediately, on other instances within ten seconds.
   */
  async endSomeOfKey(em: EntityManager, keyId: number): Promise<boolean> {
    const userIds = await deleteSessionsOfKey(em, keyId, KEY_BATCH_SIZE);
    onCommit(em, {
      afterCommit: () => userIds.forEach((userId) => this.authenticator.forget(userId)),
    });
    return userIds.length === KEY_BATCH_SIZE;
  }

  async #insertSession(
    em: EntityManager,
    user: UserEntity,
    client: SessionClient,
    issued: Pick<SessionEntity, 'token_role' | 'api_key_id'> = { token_role: null, api_key_id: null },
  ): Promise<OpenSession> {
    const id = randomUUID();
    const row = {
      id,
      user_id: user.id,
      created_at: this.clock.now(),
      ...issued,
      ...this.#usageColumns(client),
    };
    await insertSession(em, row);
    return {
      id,
      user,
      role: issued.token_role ?? user.role,
      refreshToken: await this.#insertRefreshToken(em, id),
    };
  }

  async #exchange(
    em: EntityManager,
    { hash }: RefreshTokenEntity,
    { id, user_id, token_role }: SessionEntity,
    client: SessionClient,
  ): Promise<OpenSession> {
    const isUnused = await useToken(em, hash, this.clock.now());
    const isOpen = await updateSession(em, id, this.#usageColumns(client));
    // A concurrent request used the same token first, or the session has just ended.
    if (!isUnused || !isOpen) throw sessionOver('refresh token used');
    // Read inside the transaction: a query that fails after the commit would lose the new token.
    const user = await userById(em, user_id);
    return { id, user, role: token_role ?? user.role, refreshToken: await this.#insertRefreshToken(em, id) };
  }

  async #insertRefreshToken(em: EntityManager, sessionId: string): Promise<string> {
    const refreshToken = randomBytes(REFRESH_TOKEN_BYTES).toString('base64url');
    const expires_at = plusSeconds(this.clock.now(), this.#auth.refreshTokenTtlSeconds);
    const hash = hashOf(refreshToken);
    await insertToken(em, { hash, session_id: sessionId, used_at: null, expires_at });
    return refreshToken;
  }

  async #endStolen(session: SessionEntity): Promise<void> {
    await this.#end(session);
    this.#log.warn(
      `Refresh token reuse detected: session ${session.id} of user ${session.user_id} was ended`,
    );
  }

  async #end({ id, user_id }: SessionEntity): Promise<void> {
    await this.transactions.run((em) => deleteSession(em, user_id, id));
    this.authenticator.forget(user_id);
  }

  /** Returns the columns that change with each login or refresh. */
  #usageColumns(client: SessionClient) {
    const { refreshTokenTtlSeconds, accessTokenTtlSeconds } = this.#auth;
    const now = this.clock.now();
    const expires_at = plusSeconds(now, Math.max(refreshTokenTtlSeconds, accessTokenTtlSeconds));
    return { expires_at, last_used_at: now, ...columnsOf(client) };
  }
}

const sessionOver = (reason: string): BusinessError => new BusinessError('SESSION_OVER', { reason });

/** Returns the stored form of a refresh token. 256 random bits need no salt and no slow hash. */
const hashOf = (refreshToken: string): string =>
  createHash('sha256').update(refreshToken).digest('base64url');
