import { readOwnClaims, readProviderClaims } from './token-claims';

const AUTO = {
  subject: 'auto',
  roleClaim: 'role',
  adminValues: ['admin'],
  profileSource: 'first',
  issuer: '',
} as const;
const EXTERNAL = { ...AUTO, subject: 'external' } as const;
const exp = 4_102_444_800;

/** Returns the local id of the subject, or its issuers followed by the external id. */
function subjectOf(sub: unknown, provider: Parameters<typeof readProviderClaims>[1] = AUTO, iss?: unknown) {
  const claims = readProviderClaims({ sub, iss, exp } as never, provider);
  if (claims === undefined) return undefined;
  const { subject } = claims;
  return typeof subject === 'number' ? subject : [...subject.issuers, subject.externalId];
}

const roleOf = (payload: object, more: object) =>
  readProviderClaims({ sub: '1', exp, ...payload }, { ...AUTO, ...more })?.role;

describe('readOwnClaims', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', undefined],
    ['0', undefined],
    ['007', undefined],
    ['+7', undefined],
    ['7 ', undefined],
    ['auth0|5f7c8ec7', undefined],
    ['', undefined],
    [7, undefined],
    [null, undefined],
  ])('reads sub %j as the local id %j', (sub, id) => {
    expect(readOwnClaims({ sub, exp } as never)?.subject).toBe(id);
  });

  it('reads the role and the session', () => {
    expect(readOwnClaims({ sub: '7', exp, role: 'admin', sid: 's' })).toEqual({
      subject: 7,
      exp,
      role: 'admin',
      name: undefined,
      picture: undefined,
      sid: 's',
    });
    expect(readOwnClaims({ sub: '7', exp, role: ['admin'] })?.role).toBe('user');
  });

  it('returns an empty session id when `sid` is not a string', () => {
    expect(readOwnClaims({ sub: '7', exp, sid: null })?.sid).toBe('');
    expect(readOwnClaims({ sub: '7', exp })?.sid).toBeUndefined();
  });
});

describe('readProviderClaims: subject', () => {
  it.each([
    ['a small number', '7', 7],
    ['the largest local id', '9007199254740991', 9_007_199_254_740_991],
    ['the largest local id plus one', '9007199254740992', ['', '9007199254740992']],
    ['Google’s 21 digits', '110169484474386276334', ['', '110169484474386276334']],
    ['zero', '0', ['', '0']],
    ['a leading zero', '007', ['', '007']],
    ['Keycloak’s UUID', '0f1ca2a1-6b0e-4f43-9a1c-0b6d1c8f2d7e', ['', '0f1ca2a1-6b0e-4f43-9a1c-0b6d1c8f2d7e']],
    ['the text of Auth0', 'auth0|5f7c8ec7c33c6c004bbafe82', ['', 'auth0|5f7c8ec7c33c6c004bbafe82']],
    [
      'the text of Entra',
      'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      ['', 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ'],
    ],
    ['spaces', ' ', ['', ' ']],
    ['255 characters', '𝒳'.repeat(255), ['', '𝒳'.repeat(255)]],
    ['256 characters', 'x'.repeat(256), undefined],
    ['nothing', '', undefined],
    ['NUL', 'a\0b', undefined],
    ['half a surrogate pair', 'a\ud800', undefined],
    ['a number', 7, undefined],
    ['a list', ['7'], undefined],
  ])('reads %s', (_, sub, subject) => {
    expect(subjectOf(sub)).toEqual(subject);
  });

  it('is never a local id when all subjects are external', () => {
    expect(subjectOf('7', EXTERNAL)).toEqual(['', '7']);
  });

  it('has the configured issuer, then no issuer', () => {
    expect(subjectOf('x', { ...AUTO, issuer: 'https://id.example' }, 'https://id.example')).toEqual([
      'https://id.example',
      '',
      'x',
    ]);
  });

  it('has the issuer of the token when several providers are configured', () => {
    const several = { ...AUTO, issuer: undefined };
    expect(subjectOf('x', several, 'https://a.example')).toEqual(['https://a.example', 'x']);
    expect(subjectOf('x', several)).toEqual(['', 'x']);
    expect(subjectOf('x', several, 'i'.repeat(256))).toBeUndefined();
  });

  it('has a different key for each pair of issuer and subject', () => {
    const several = { ...AUTO, issuer: undefined };
    const keys = [
      ['a', 'b'],
      ['a","b', ''],
      ['', 'a","b'],
      ['a\n', 'b'],
    ].map(([iss, sub]) => readProviderClaims({ iss, sub: `x${sub}`, exp }, several)?.subject);
    expect(new Set(keys.map((subject) => (subject as { key: string }).key)).size).toBe(4);
  });

  it('ignores `sid`', () => {
    expect(readProviderClaims({ sub: '7', exp, sid: 'theirs' }, AUTO)).not.toHaveProperty('sid');
  });
});

describe('readProviderClaims: issuedAt', () => {
  it.each([
    [1_769_846_400, 1_769_846_400_000],
    [1_769_846_400.0625, 1_769_846_400_062],
    [undefined, undefined],
    [1e300, undefined],
  ])('converts iat %j to %j', (iat, issuedAt) => {
    expect(readProviderClaims({ sub: '7', exp, iat }, AUTO)?.issuedAt).toBe(issuedAt);
  });

  it('is undefined for a token of the service', () => {
    expect(readOwnClaims({ sub: '7', exp, iat: 5 })?.issuedAt).toBeUndefined();
  });
});

describe('readProviderClaims: role', () => {
  const nested = { realm_access: { roles: ['offline_access', 'admin'] } };
  it.each([
    ['a string', { role: 'admin' }, {}, 'admin'],
    ['a string in another case', { role: 'Admin' }, {}, 'user'],
    ['a missing claim', {}, {}, 'user'],
    ['a list', { role: ['user', 'admin'] }, {}, 'admin'],
    ['an object', { role: { admin: true } }, {}, 'user'],
    ['true', { role: true }, { adminValues: ['true'] }, 'user'],
    ['a path', nested, { roleClaim: 'realm_access.roles' }, 'admin'],
    ['a path that ends early', { realm_access: 'x' }, { roleClaim: 'realm_access.roles' }, 'user'],
    [
      'another value',
      { roles: ['Callboard.Admin'] },
      { roleClaim: 'roles', adminValues: ['x', 'Callboard.Admin'] },
      'admin',
    ],
    [
      'a claim with dots in its name',
      { 'https://a.example/roles': ['admin'] },
      { roleClaim: 'https://a.example/roles' },
      'admin',
    ],
    [
      'a claim that exists as a whole, before its path',
      { 'realm_access.roles': 'none', ...nested },
      { roleClaim: 'realm_access.roles' },
      'user',
    ],
    ['a property of every object', {}, { roleClaim: 'constructor.name', adminValues: ['Object'] }, 'user'],
    ['the length of a list', { role: ['x'] }, { roleClaim: 'role.length', adminValues: ['1'] }, 'user'],
  ])('is read correctly from %s', (_, payload, provider, role) => {
    expect(roleOf(payload, provider)).toBe(role);
  });
});
