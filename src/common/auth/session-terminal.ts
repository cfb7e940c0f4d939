import { createHash } from 'node:crypto';
import { invalidField } from '../errors/business-error';
import type { Principal } from './principal';

const DIGITS = 16;
const SESSION_TERMINAL = /^s:[0-9a-f]{16}$/;

/**
 * Returns the terminal id of a session, for requests that name no terminal: each log-in is a separate terminal
 * (API 5.3).
 */
export const terminalOfSession = (sid: string): string =>
  `s:${createHash('sha256').update(sid).digest('hex').slice(0, DIGITS)}`;

/**
 * Returns the terminal id of a request: the named one, otherwise that of the token's session, otherwise ''.
 * @param named '' if the request names none
 * @throws {BusinessError} VALIDATION for the terminal of another session
 */
export function actingTerminal({ sid }: Principal, named: string): string {
  const ofSession = sid === undefined ? '' : terminalOfSession(sid);
  if (named === '') return ofSession;
  if (SESSION_TERMINAL.test(named) && named !== ofSession) throw invalidField('terminal_id', 'invalid');
  return named;
}

/**
 * Returns the body with `terminal_id` set by `actingTerminal`.
 * @throws {BusinessError} VALIDATION as `actingTerminal`
 */
export const withActingTerminal = <Body extends { terminal_id: string }>(
  user: Principal,
  body: Body,
): Body => ({
  ...body,
  terminal_id: actingTerminal(user, body.terminal_id),
});
