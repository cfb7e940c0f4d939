import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../../audit/recording/record-audit';
import type { Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import { ItemsPage, offsetOf } from '../../common/http/page';
import { Transactions } from '../../database/transactions';
import type {
  AnySessionResponse,
  ListSessionsQuery,
  SessionResponse,
  SessionsResponse,
  UserSessionsResponse,
} from '../dto/session-responses.dto';
import type { SessionEntity } from '../entities/session.entity';
import { UsersService } from '../users.service';
import { TokenAuthenticator } from '../tokens/token-authenticator';
import { activeSessions, countActiveSessions, deleteSession, deleteSessionsOf } from './sessions.store';

/** Maximum number of sessions in a list: enough for a person, and a bound for users whose scripts log in often. */
const MAX_LISTED = 200;
/**
 * Maximum number of sessions that are searched to end one. A session from the list may have moved down since, because
 * others were used.
 */
const MAX_SEARCHED = 1_000;

/** Lists the sessions of a user and ends them remotely (API 2.6, 3.2). */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly authenticator: TokenAuthenticator,
  ) {}

  /**
   * Lists the user's active sessions, most recently used first, at most 200.
   * @param sid the session of the request
   */
  async list(userId: number, sid: string | undefined): Promise<SessionsResponse> {
    const rows = await this.#findByLastUse(userId, MAX_LISTED);
    return { items: rows.map((row) => toSessionResponse(row, sid)) };
  }

  /**
   * Lists a user's sessions for administrators: as `list`, with the API keys that opened them.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async listOf(userId: number, sid: string | undefined): Promise<UserSessionsResponse> {
    await this.users.get(userId);
    const rows = await this.#findByLastUse(userId, MAX_LISTED);
    return {
      items: rows.map((row) => Object.assign(toSessionResponse(row, sid), { api_key_id: row.api_key_id })),
    };
  }

  /** Returns a page of the active sessions of all users, or of one, most recently used first. */
  async listAll(
    { user_id, ...page }: ListSessionsQuery,
    sid: string | undefined,
  ): Promise<ItemsPage<AnySessionResponse>> {
    const slice = { offset: offsetOf(page), limit: page.per_page };
    const em = this.transactions.read();
    const now = this.clock.now();
    const total = await countActiveSessions(em, user_id, now);
    const sessions = slice.offset < total ? await activeSessions(em, user_id, now, slice) : [];
    const users = await this.users.findByIds(sessions.map((session) => session.user_id));
    const items = sessions.map((row) =>
      Object.assign(toSessionResponse(row, sid), {
        api_key_id: row.api_key_id,
        user_id: row.user_id,
        user_name: users.get(row.user_id)?.name ?? null,
      }),
    );
    return new ItemsPage(items, total, page);
  }

  /**
   * Ends one session, which may be the current one.
   * @param sessionId the id from the list
   * @throws {BusinessError} SESSION_NOT_FOUND
   */
  async end(userId: number, sessionId: number): Promise<void> {
    const rows = await this.#findByLastUse(userId, MAX_SEARCHED);
    const row = rows.find(({ id }) => publicIdOf(id) === sessionId);
    if (row === undefined) throw new BusinessError('SESSION_NOT_FOUND');
    const existed = await this.transactions.run(async (em) => {
      const isEnded = await deleteSession(em, userId, row.id);
      if (isEnded) recordAudit(em, { object_id: sessionId, before: auditedFields(row), after: null });
      return isEnded;
    });
    this.authenticator.forget(userId);
    if (!existed) throw new BusinessError('SESSION_NOT_FOUND');
  }

  /**
   * Ends one session of another user.
   * @throws {BusinessError} USER_NOT_FOUND, SESSION_NOT_FOUND
   */
  async endOf(userId: number, sessionId: number): Promise<void> {
    await this.users.get(userId);
    await this.end(userId, sessionId);
  }

  /** Ends all sessions of the user except the current one; all of them if the token belongs to no session. */
  async endOthers({ id, sid }: Principal): Promise<void> {
    await this.transactions.run((em) => deleteSessionsOf(em, [id], sid));
    this.authenticator.forget(id);
  }

  /**
   * Ends all sessions of another user.
   * @throws {BusinessError} USER_NOT_FOUND
   */
  async endAllOf(userId: number): Promise<void> {
    await this.users.get(userId);
    await this.transactions.run(async (em) => {
      const ended = await deleteSessionsOf(em, [userId]);
      if (ended > 0) recordAudit(em, { object_id: null, before: null, after: { user_id: userId, ended } });
    });
    this.authenticator.forget(userId);
  }

  #findByLastUse(userId: number, limit: number): Promise<SessionEntity[]> {
    return activeSessions(this.transactions.read(), userId, this.clock.now(), { offset: 0, limit });
  }
}

/**
 * Returns the public id of a session, 1 to 2^48. It is derived from the session id with a hash and does not reveal it:
 * the session id is part of tokens.
 */
const publicIdOf = (id: string): number =>
  createHash('sha256').update(`session ${id}`).digest().readUIntBE(0, 6) + 1;

const toSessionResponse = (session: SessionEntity, currentId: string | undefined): SessionResponse => ({
  id: publicIdOf(session.id),
  current: session.id === currentId,
  created_at: session.created_at,
  last_used_at: session.last_used_at ?? session.created_at,
  expires_at: session.expires_at,
  ip: session.ip,
  user_agent: session.user_agent,
});

/** Returns the fields of an ended session for the audit log. */
const auditedFields = ({ user_id, created_at, last_used_at, ip, user_agent }: SessionEntity) => ({
  user_id,
  created_at,
  last_used_at,
  ip,
  user_agent,
});
