import { readOnBehalf } from './on-behalf.rules';

describe('X-On-Behalf-Of', () => {
  it('names a user by its id', () => {
    expect(readOnBehalf('17')).toEqual({ id: 17 });
    expect(readOnBehalf(' 17 ')).toEqual({ id: 17 });
    expect(readOnBehalf('9007199254740991')).toEqual({ id: 9_007_199_254_740_991 });
  });

  it('names a user by the external id, percent-encoded', () => {
    expect(readOnBehalf('ext:crm-17')).toEqual({ externalId: 'crm-17' });
    expect(readOnBehalf('ext:17')).toEqual({ externalId: '17' });
    expect(readOnBehalf('ext:%E5%BC%A0%2F%25')).toEqual({ externalId: '张/%' });
    expect(readOnBehalf('ext:auth0|x y')).toEqual({ externalId: 'auth0|x y' });
    expect(readOnBehalf('ext:%20')).toEqual({ externalId: ' ' });
    expect(readOnBehalf(`ext:${'%F0%9F%A6%8A'.repeat(255)}`)).toEqual({ externalId: '🦊'.repeat(255) });
  });

  it.each([undefined, '', '   ', ['17']])('is rejected as missing: %j', (header) => {
    expect(() => readOnBehalf(header)).toThrow('X-On-Behalf-Of 字段不能为空');
  });

  it.each([
    '0',
    '-1',
    '007',
    '1.0',
    '1e3',
    '17, 18',
    '9007199254740992',
    '99999999999999999999',
    'alice',
    'ext:',
    'EXT:7',
    'ext:%',
    'ext:%zz',
    'ext:%ff',
    'ext:%00',
    'ext:å',
    `ext:${'x'.repeat(256)}`,
  ])('is rejected as malformed: %s', (header) => {
    expect(() => readOnBehalf(header)).toThrow('X-On-Behalf-Of 取值无效');
  });
});
