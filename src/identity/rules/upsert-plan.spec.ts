import { invalidField } from '../../common/errors/business-error';
import {
  type KnownUser,
  type UserInputRow,
  planUserUpserts,
  type CurrentUsers,
  type UserInput,
} from './upsert-plan';

const line = (external_id: string, told: Omit<UserInput, 'external_id'> = {}): UserInputRow => ({
  externalId: external_id,
  told: { external_id, ...told },
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
const planned = (lines: UserInputRow[], standing: Partial<CurrentUsers<KnownUser>> = {}): string[] =>
  planUserUpserts(lines, { ...current, ...standing }).map((step) =>
    step.result === 'error' ? step.refusal.message : step.result,
  );

describe('planUpserts', () => {
  it('creates unknown users, who must have a name', () => {
    expect(planned([line('x', { name: 'X' }), line('y'), line('A', { name: 'Other Ann' })])).toEqual([
      'created',
      'name 字段不能为空',
      'created',
    ]);
    const [created] = planUserUpserts([line('x', { name: 'X', account: null })], current);
    expect(created).toEqual({
      result: 'created',
      externalId: 'x',
      told: { external_id: 'x', name: 'X', account: null, status: 1 },
    });
  });

  it.each([
    [{}, 'unchanged'],
    [{ account: 'ann', name: 'Ann', avatar: null, status: 1 }, 'unchanged'],
    [{ account: 'ANN' }, 'updated'],
    [{ account: null }, 'updated'],
    [{ name: 'Anna' }, 'updated'],
    [{ avatar: 'https://a.example/a.png' }, 'updated'],
    [{ status: 0 }, 'updated'],
  ])('plans %j for an existing user as %s', (told, result) => {
    expect(planned([line('a', told)])).toEqual([result]);
  });

  it('rejects every repetition of an external id, also when the first row failed', () => {
    expect(planned([line('a', { name: 'Anna' }), line('a', { name: 'Anne' })])).toEqual([
      'updated',
      'external_id 取值无效',
    ]);
    const refusal = invalidField('name', 'notAString');
    expect(planned([{ externalId: 'x', refusal }, line('x', { name: 'X' })])).toEqual([
      'name 必须是字符串',
      'external_id 取值无效',
    ]);
  });

  it('keeps the error of rows that could not be parsed and continues', () => {
    const refusal = invalidField('external_id', 'required');
    expect(planned([{ externalId: null, refusal }, { externalId: null, refusal }, line('b')])).toEqual([
      'external_id 字段不能为空',
      'external_id 字段不能为空',
      'unchanged',
    ]);
  });

  it('assigns an account to the first user only, regardless of case', () => {
    expect(planned([line('b', { account: 'Ann' })])).toEqual(['账号已存在']);
    expect(
      planned([
        line('x', { name: 'X', account: 'Zoe' }),
        line('y', { name: 'Y', account: 'ZOE' }),
        line('b', { account: 'zoe' }),
      ]),
    ).toEqual(['created', '账号已存在', '账号已存在']);
    expect(planned([line('a', { account: null }), line('b', { account: 'ann' })])).toEqual([
      'updated',
      '账号已存在',
    ]);
    expect(planned([line('a', { account: 'b' }), line('b', { account: 'b' })])).toEqual([
      'updated',
      '账号已存在',
    ]);
  });

  it('does not disable the last administrator when one must remain', () => {
    const off = [line('a', { status: 0 }), line('b', { status: 0 })];
    expect(planned(off, { administrators: new Set([1, 2]) })).toEqual(['updated', 'status 取值无效']);
    expect(planned(off, { administrators: new Set([2]) })).toEqual(['updated', 'status 取值无效']);
    expect(planned(off, { administrators: new Set([1, 2, 3]) })).toEqual(['updated', 'updated']);
    expect(planned(off, { administrators: new Set() })).toEqual(['updated', 'updated']);
    expect(planned(off)).toEqual(['updated', 'updated']);
    expect(planned([line('b', { name: 'Benny' })], { administrators: new Set([2]) })).toEqual(['updated']);
  });
});
