import type { UserId } from '../ids';
import type { Principal } from './principal';
import { actingTerminal, withActingTerminal, terminalOfSession } from './session-terminal';

const OWN = 's:ba7816bf8f01cfea';

const principal = (sid?: string): Principal => ({ id: 1 as UserId, role: 'user', expiresAt: 0, sid });

describe('actingTerminal', () => {
  it('derives the terminal of a session from the hash of its id', () => {
    // Test vector of FIPS 180-2.
    expect(terminalOfSession('abc')).toBe(OWN);
  });

  it.each([
    ['the terminal of the session when none is named', 'abc', '', OWN],
    ['the nameless terminal without a session and a name', undefined, '', ''],
    ['the named terminal', 'abc', 'phone', 'phone'],
    ['the named terminal without a session', undefined, 'phone', 'phone'],
    ['the terminal of the session when it is named', 'abc', OWN, OWN],
    ['a named terminal that only resembles one of a session', 'abc', 's:kitchen', 's:kitchen'],
  ])('returns %s', (_, sid, named, expected) => {
    expect(actingTerminal(principal(sid), named)).toBe(expected);
    expect(withActingTerminal(principal(sid), { terminal_id: named, reason: 'x' })).toEqual({
      terminal_id: expected,
      reason: 'x',
    });
  });

  it.each([
    ['another session', 'abd'],
    ['no session', undefined],
  ])('rejects the terminal of a session for a caller with %s', (_, sid) => {
    expect(() => actingTerminal(principal(sid), OWN)).toThrow('terminal_id 取值无效');
  });
});
