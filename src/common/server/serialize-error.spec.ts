import { QueryFailedError } from 'typeorm';
import { serializeError } from './serialize-error';

describe('serializeError', () => {
  it('returns the error without the values of the query', () => {
    const driver = Object.assign(new Error('no such table: users'), { code: 'SQLITE_ERROR' });
    const shown = serializeError(new QueryFailedError('INSERT INTO users VALUES (?)', ['a secret'], driver));
    expect(shown).toMatchObject({
      type: 'QueryFailedError',
      message: 'no such table: users',
      code: 'SQLITE_ERROR',
    });
    expect(JSON.stringify(shown)).not.toContain('a secret');
  });

  it('includes the cause', () => {
    const shown = serializeError(new Error('outer', { cause: new TypeError('inner') }));
    expect(shown).toMatchObject({ message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  });

  it('accepts values that are not errors', () => {
    expect(serializeError('text')).toMatchObject({ message: 'text' });
    expect(serializeError(undefined)).toMatchObject({ message: 'undefined' });
  });
});
