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

describe('The subject of a token of our own', () => {
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
  ])('%j is the local id %j', (sub, id) => {
    expect(readOwnClaims({ sub, exp } as never)?.subject).toBe(id);
  });

  it('has the role of the claim `role`, and its session', () => {
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

  it('is in no session, rather than in none, when `sid` is no text', () => {
    expect(readOwnClaims({ sub: '7', exp, sid: null })?.sid).toBe('');
    expect(readOwnClaims({ sub: '7', exp })?.sid).toBeUndefined();
  });
});

describe('The subject of a provider’s token', () => {
  it.each([
    ['a small number', '7', 7],
    ['the largest local id', '9007199254740991', 9_007_199_254_740_991],
    ['one more', '9007199254740992', ['', '9007199254740992']],
    ['Google’s 21 digits', '110169484474386276334', ['', '110169484474386276334']],
    ['nought', '0', ['', '0']],
    ['a leading zero', '007', ['', '007']],
    ['Keycloak’s UUID', '0f1ca2a1-6b0e-4f43-9a1c-0b6d1c8f2d7e', ['', '0f1ca2a1-6b0e-4f43-9a1c-0b6d1c8f2d7e']],
    ['Auth0’s text', 'auth0|5f7c8ec7c33c6c004bbafe82', ['', 'auth0|5f7c8ec7c33c6c004bbafe82']],
    [
      'Entra’s text',
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
  ])('that is %s', (_, sub, subject) => {
    expect(subjectOf(sub)).toEqual(subject);
  });

  it('is never a local id where all are external', () => {
    expect(subjectOf('7', EXTERNAL)).toEqual(['', '7']);
  });

  it('is the configured issuer’s, else the one’s without an issuer', () => {
    expect(subjectOf('x', { ...AUTO, issuer: 'https://id.example' }, 'https://id.example')).toEqual([
      'https://id.example',
      '',
      'x',
    ]);
  });

  it('is the issuer’s of the token where there are several providers, and nobody else’s', () => {
    const several = { ...AUTO, issuer: undefined };
    expect(subjectOf('x', several, 'https://a.example')).toEqual(['https://a.example', 'x']);
    expect(subjectOf('x', several)).toEqual(['', 'x']);
    expect(subjectOf('x', several, 'i'.repeat(256))).toBeUndefined();
  });

  it('is remembered apart from every other issuer’s and text’s', () => {
    const several = { ...AUTO, issuer: undefined };
    const keys = [
      ['a', 'b'],
      ['a","b', ''],
      ['', 'a","b'],
      ['a\n', 'b'],
    ].map(([iss, sub]) => readProviderClaims({ iss, sub: `x${sub}`, exp }, several)?.subject);
    expect(new Set(keys.map((subject) => (subject as { key: string }).key)).size).toBe(4);
  });

  it('has no session, whatever the provider calls `sid`', () => {
    expect(readProviderClaims({ sub: '7', exp, sid: 'theirs' }, AUTO)).not.toHaveProperty('sid');
  });
});

describe('The moment of a provider’s token', () => {
  it.each([
    [1_769_846_400, 1_769_846_400_000],
    [1_769_846_400.0625, 1_769_846_400_062],
    [undefined, undefined],
    [1e300, undefined],
  ])('iat %j is %j', (iat, issuedAt) => {
    expect(readProviderClaims({ sub: '7', exp, iat }, AUTO)?.issuedAt).toBe(issuedAt);
  });

  it('is not looked at in a token of our own', () => {
    expect(readOwnClaims({ sub: '7', exp, iat: 5 })?.issuedAt).toBeUndefined();
  });
});

describe('The role of a provider’s token', () => {
  const nested = { realm_access: { roles: ['offline_access', 'admin'] } };
  it.each([
    ['a text', { role: 'admin' }, {}, 'admin'],
    ['another text', { role: 'Admin' }, {}, 'user'],
    ['nothing', {}, {}, 'user'],
    ['a list', { role: ['user', 'admin'] }, {}, 'admin'],
    ['what is neither', { role: { admin: true } }, {}, 'user'],
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
    ['what every object has', {}, { roleClaim: 'constructor.name', adminValues: ['Object'] }, 'user'],
    ['the length of a list', { role: ['x'] }, { roleClaim: 'role.length', adminValues: ['1'] }, 'user'],
  ])('by %s', (_, payload, provider, role) => {
    expect(roleOf(payload, provider)).toBe(role);
  });
});
