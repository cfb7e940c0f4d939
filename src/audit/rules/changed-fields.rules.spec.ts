import { changedFields } from './changed-fields.rules';

describe('changedFields', () => {
  it('returns the fields that differ, before and after', () => {
    expect(
      changedFields(
        { name: 'Ada', role: 'user', status: 1, tags: ['a', 'b'] },
        { name: 'Ada', role: 'admin', status: 1, tags: ['a', 'c'] },
      ),
    ).toEqual({ before: { role: 'user', tags: ['a', 'b'] }, after: { role: 'admin', tags: ['a', 'c'] } });
  });

  it('returns undefined when nothing differs, regardless of field order, and treats null like a missing field', () => {
    expect(changedFields({ a: 1, b: { x: 1, y: 2 } }, { b: { y: 2, x: 1 }, a: 1, c: null })).toBeUndefined();
    expect(changedFields({}, {})).toBeUndefined();
  });

  it('returns all fields of a new and of a deleted object', () => {
    expect(changedFields(null, { name: 'Ada', avatar: null })).toEqual({
      before: null,
      after: { name: 'Ada', avatar: null },
    });
    expect(changedFields({ name: 'Ada' }, null)).toEqual({ before: { name: 'Ada' }, after: null });
  });

  it('returns null for both when no fields are given', () => {
    expect(changedFields(null, null)).toEqual({ before: null, after: null });
  });

  it('converts dates to texts and recognises equal ones', () => {
    const at = '2026-01-31T08:00:00.000Z';
    expect(changedFields({ expires_at: new Date(at) }, { expires_at: new Date(at) })).toBeUndefined();
    expect(changedFields({ expires_at: null }, { expires_at: new Date(at) })).toEqual({
      before: { expires_at: null },
      after: { expires_at: at },
    });
  });

  it('masks secrets at any depth and under any name of a secret', () => {
    const after = {
      password: 'planted',
      password_hash: 'planted',
      access_token: 'planted',
      secrets: ['planted'],
      data: { Token: 'planted', deeper: [{ key: 'planted', salt: 'planted' }] },
      monkey: 'harmless',
    };
    const changes = changedFields(null, after);
    expect(JSON.stringify(changes)).not.toContain('planted');
    expect(changes?.after).toMatchObject({ password: '***', monkey: 'harmless', data: { Token: '***' } });
  });

  it('shows that a secret was set again, also when it is given as ***', () => {
    const stars = { password: '***' };
    expect(changedFields({ password: 'old' }, { password: 'new' })).toEqual({ before: stars, after: stars });
    expect(changedFields(stars, stars)).toEqual({ before: stars, after: stars });
    expect(changedFields({ password: null }, stars)).toEqual({ before: { password: null }, after: stars });
  });

  it('cuts texts of more than 500 characters, counted as code points and not as UTF-16 units', () => {
    const whole = '😀'.repeat(500);
    const changes = changedFields(null, { whole, cut: '😀'.repeat(501), nested: ['x'.repeat(501)] });
    expect(changes?.after).toEqual({
      whole,
      cut: `${'😀'.repeat(499)}…`,
      nested: [`${'x'.repeat(499)}…`],
    });
  });

  it('detects a difference beyond the cut', () => {
    const long = 'x'.repeat(600);
    expect(changedFields({ text: `${long}a` }, { text: `${long}b` })).toBeDefined();
  });
});
