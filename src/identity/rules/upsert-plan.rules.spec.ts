import type { InputRow } from '../../common/bulk/upsert-planner';
import { type CurrentUsers, type KnownUser, planUserUpserts, type UserInput } from './upsert-plan.rules';

const row = (external_id: string, input: Omit<UserInput, 'external_id'> = {}): InputRow<UserInput> => ({
  key: external_id,
  input: { external_id, ...input },
});

const ann: KnownUser = { id: 1, account: 'ann', name: 'Ann', avatar: null, status: 1, role: 'user' };
const ben: KnownUser = {
  id: 2,
  account: null,
  name: 'Ben',
  avatar: 'https://a.example/b.png',
  status: 1,
  role: 'user',
};

const current: CurrentUsers<KnownUser> = {
  users: new Map([
    ['a', ann],
    ['b', ben],
  ]),
  accounts: new Map([['ann', 1]]),
};

/** Returns the result of each row, or the error message. */
const planned = (rows: InputRow<UserInput>[], more: Partial<CurrentUsers<KnownUser>> = {}): string[] =>
  planUserUpserts(rows, { ...current, ...more }).map((step) =>
    step.result === 'error' ? step.error.message : step.result,
  );

describe('planUserUpserts', () => {
  it('creates unknown users and requires their name', () => {
    expect(planned([row('x', { name: 'X' }), row('y'), row('A', { name: 'Other Ann' })])).toEqual([
      'created',
      'name 字段不能为空',
      'created',
    ]);
  });

  it.each([
    [{}, 'unchanged'],
    [{ account: 'ann', name: 'Ann', avatar: null, status: 1 }, 'unchanged'],
    [{ account: 'ANN' }, 'updated'],
    [{ account: null }, 'updated'],
    [{ name: 'Anna' }, 'updated'],
    [{ avatar: 'https://a.example/a.png' }, 'updated'],
    [{ status: 0 }, 'updated'],
  ])('plans %j for an existing user as %s', (input, result) => {
    expect(planned([row('a', input)])).toEqual([result]);
  });

  it('rejects a repeated external id', () => {
    expect(planned([row('a', { name: 'Anna' }), row('a', { name: 'Anne' })])).toEqual([
      'updated',
      'external_id 取值无效',
    ]);
  });

  it('assigns an account to the first user only, regardless of case', () => {
    expect(planned([row('b', { account: 'Ann' })])).toEqual(['账号已存在']);
    expect(
      planned([
        row('x', { name: 'X', account: 'Zoe' }),
        row('y', { name: 'Y', account: 'ZOE' }),
        row('b', { account: 'zoe' }),
      ]),
    ).toEqual(['created', '账号已存在', '账号已存在']);
    expect(planned([row('a', { account: null }), row('b', { account: 'ann' })])).toEqual([
      'updated',
      '账号已存在',
    ]);
    expect(planned([row('a', { account: 'b' }), row('b', { account: 'b' })])).toEqual([
      'updated',
      '账号已存在',
    ]);
  });

  it('does not disable the last administrator when one must remain', () => {
    const off = [row('a', { status: 0 }), row('b', { status: 0 })];
    expect(planned(off, { administrators: new Set([1, 2]) })).toEqual(['updated', 'status 取值无效']);
    expect(planned(off, { administrators: new Set([2]) })).toEqual(['updated', 'status 取值无效']);
    expect(planned(off, { administrators: new Set([1, 2, 3]) })).toEqual(['updated', 'updated']);
    expect(planned(off, { administrators: new Set() })).toEqual(['updated', 'updated']);
    expect(planned(off)).toEqual(['updated', 'updated']);
    expect(planned([row('b', { name: 'Benny' })], { administrators: new Set([2]) })).toEqual(['updated']);
  });

  it('does not remove the account of the last administrator when one who can log in must remain', () => {
    const rows = [row('a', { account: null }), row('b', { account: null, name: 'Benny' })];
    const administrators = new Set([1]);
    expect(planned(rows, { administrators, counted: 'able to log in' })).toEqual([
      'account 取值无效',
      'updated',
    ]);
    expect(planned(rows, { administrators, counted: 'all' })).toEqual(['updated', 'updated']);
    const both = [row('a', { account: null }), row('b', { status: 0 })];
    expect(planned(both, { administrators: new Set([1, 2]), counted: 'able to log in' })).toEqual([
      'updated',
      'status 取值无效',
    ]);
  });
});
