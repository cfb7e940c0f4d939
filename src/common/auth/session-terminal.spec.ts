import type { UserId } from '../ids';
import type { Principal } from './principal';
import { actingTerminal, fromTerminal, terminalOfSession } from './session-terminal';

const OWN = 's:ba7816bf8f01cfea';

const principal = (sid?: string): Principal => ({ id: 1 as UserId, role: 'user', expiresAt: 0, sid });

describe('The terminal that acts', () => {
  it('is, of a session, the beginning of the hash of its id', () => {
    // Test vector of FIPS 180-2.
    expect(terminalOfSession('abc')).toBe(OWN);
  });

  it.each([
    ['the session’s, where none is named', 'abc', '', OWN],
    ['the nameless one, without a session', undefined, '', ''],
    ['the one named', 'abc', 'phone', 'phone'],
    ['the one named, without a session', undefined, 'phone', 'phone'],
    ['the session’s, named in it', 'abc', OWN, OWN],
    ['one whose name only looks alike', 'abc', 's:kitchen', 's:kitchen'],
  ])('is %s', (_, sid, named, expected) => {
    expect(actingTerminal(principal(sid), named)).toBe(expected);
    expect(fromTerminal(principal(sid), { terminal_id: named, reason: 'x' })).toEqual({
      terminal_id: expected,
      reason: 'x',
    });
  });

  it.each([
    ['another session', 'abd'],
    ['no session', undefined],
  ])('is not that of a session, in %s', (_, sid) => {
    expect(() => actingTerminal(principal(sid), OWN)).toThrow('terminal_id 取值无效');
  });
});
