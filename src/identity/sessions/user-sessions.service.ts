import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan, type Repository } from 'typeorm';
import { noteAudit } from '../../audit/trail/note-audit';
import type { Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError } from '../../common/errors/business-error';
import type { SessionResponse, SessionsResponse, UserSessionsResponse } from '../dto/session-responses.dto';
import { SessionEntity } from '../entities/session.entity';
import { UsersService } from '../users.service';
import { SessionsService } from './sessions.service';

/** More than anybody looks through, and no bound for those who log in with scripts. */
const MOST_SHOWN = 200;
/** Of those that were shown some may have been overtaken by others since. */
const MOST_LOOKED_AT = 1_000;

/** The sessions of a user: where one is logged in, and ending it from afar (contract 18.1, 14.3). */
@Injectable()
export class UserSessionsService {
  constructor(
    @InjectRepository(SessionEntity) private readonly rows: Repository<SessionEntity>,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * One's own that go on, the one used last first, 200 at most.
   * @param sid the session that asks
   */
  async list(userId: number, sid: string | undefined): Promise<SessionsResponse> {
    const rows = await this.#usedLast(userId, MOST_SHOWN);
    return { items: rows.map((row) => toSessionResponse(row, sid)) };
  }

  /** A user's sessions as `list` has them, with the keys that opened them, for administrators. @throws {BusinessError} USER_NOT_FOUND */
  async listOf(userId: number, sid: string | undefined): Promise<UserSessionsResponse> {
    await this.users.get(userId);
    const rows = await this.#usedLast(userId, MOST_SHOWN);
    return {
      items: rows.map((row) => Object.assign(toSessionResponse(row, sid), { api_key_id: row.api_key_id })),
    };
  }

  /**
   * Ends one session, which may be the one that asks.
   * @param sessionId as the list names it
   * @throws {BusinessError} SESSION_NOT_FOUND
   */
  async end(userId: number, sessionId: number): Promise<void> {
    const rows = await this.#usedLast(userId, MOST_LOOKED_AT);
    const row = rows.find(({ id }) => publicIdOf(id) === sessionId);
    const note = (em: EntityManager): void =>
      noteAudit(em, { object_id: sessionId, before: row ? auditedFields(row) : null, after: null });
    if (row === undefined || !(await this.sessions.endOne(userId, row.id, note)))
      throw new BusinessError('SESSION_NOT_FOUND');
  }

  /** Ends one of somebody's. @throws {BusinessError} USER_NOT_FOUND, SESSION_NOT_FOUND */
  async endOf(userId: number, sessionId: number): Promise<void> {
    await this.users.get(userId);
    await this.end(userId, sessionId);
  }

  /** Ends all of one's own but the one that asks; all of them for a token that belongs to none. */
  async endOthers({ id, sid }: Principal): Promise<void> {
    await this.sessions.endOthers(id, sid);
  }

  /** Ends all of somebody's. @throws {BusinessError} USER_NOT_FOUND */
  async endAllOf(userId: number): Promise<void> {
    await this.users.get(userId);
    await this.sessions.endOthers(userId, undefined, (em, ended) =>
      noteAudit(em, { object_id: null, before: null, after: { user_id: userId, ended } }),
    );
  }

  #usedLast(user_id: number, take: number): Promise<SessionEntity[]> {
    return this.rows.find({
      where: { user_id, expires_at: MoreThan(this.clock.now()) },
      // Both downwards, as the index is walked: nothing is sorted, however many there are.
      order: { last_used_at: 'DESC', id: 'DESC' },
      take,
    });
  }
}

/**
 * The number by which its owner names a session, 1 to 2^48. It follows from the session's own id, and tells nothing of it:
 * that one stands in tokens.
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

/** What the audit log says of a session that was ended. */
const auditedFields = ({ user_id, created_at, last_used_at, ip, user_agent }: SessionEntity) => ({
  user_id,
  created_at,
  last_used_at,
  ip,
  user_agent,
});
