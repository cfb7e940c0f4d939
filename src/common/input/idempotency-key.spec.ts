import { withRequestId, idempotencyKeyOf } from './idempotency-key';

const keyIn = (value: string | string[] | undefined) =>
  idempotencyKeyOf({ headers: { 'idempotency-key': value } });

describe('Idempotency-Key', () => {
  it.each(['k', 'a b', '"quoted"', '~!', 'x'.repeat(64)])('is accepted unchanged: %j', (key) => {
    expect(keyIn(key)).toBe(key);
  });

  it('is optional', () => {
    expect(keyIn(undefined)).toBeUndefined();
  });

  it.each(['', 'x'.repeat(65), 'ü', 'a\tb', 'a\u007f', '键'])('is rejected: %j', (key) => {
    expect(() => keyIn(key)).toThrow('Idempotency-Key 取值无效');
  });

  it('is used as the id of a body without one', () => {
    expect(withRequestId('k', 'request_id', { callee_id: 3 } as { request_id?: string })).toEqual({
      callee_id: 3,
      request_id: 'k',
    });
    expect(withRequestId('k', 'request_id', { request_id: 'k' })).toEqual({ request_id: 'k' });
    expect(withRequestId(undefined, 'request_id', { request_id: 'own' })).toEqual({ request_id: 'own' });
  });

  it('is rejected when it differs from the id in the body', () => {
    expect(() => withRequestId('k', 'request_id', { request_id: 'K' })).toThrow('request_id 取值无效');
  });
});
