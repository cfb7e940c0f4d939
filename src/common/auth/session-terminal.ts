import { createHash } from 'node:crypto';
import { invalidField } from '../errors/business-error';
import type { Principal } from './principal';

const DIGITS = 16;
const SESSIONS_TERMINAL = /^s:[0-9a-f]{16}$/;

/** The terminal that a session is, for requests that name none: two phones that log in apart are two (contract 18.2). */
export const terminalOfSession = (sid: string): string =>
  `s:${createHash('sha256').update(sid).digest('hex').slice(0, DIGITS)}`;

/**
 * The terminal that acts: the one named, else that of the token's session, else the nameless one.
 * @param named '' when none is
 * @throws {BusinessError} VALIDATION for the terminal of another session
 */
export function actingTerminal({ sid }: Principal, named: string): string {
  const own = sid === undefined ? '' : terminalOfSession(sid);
  if (named === '') return own;
  if (SESSIONS_TERMINAL.test(named) && named !== own) throw invalidField('terminal_id', '取值无效');
  return named;
}

/** A body whose `terminal_id` is the terminal that acts. @throws {BusinessError} VALIDATION as `actingTerminal` */
export const fromTerminal = <Body extends { terminal_id: string }>(user: Principal, body: Body): Body => ({
  ...body,
  terminal_id: actingTerminal(user, body.terminal_id),
});
