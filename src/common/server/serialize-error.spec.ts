import { QueryFailedError } from 'typeorm';
import { serializeError } from './serialize-error';

describe('An error in the log', () => {
  it('shows what failed, and none of the values of a query', () => {
    const driver = Object.assign(new Error('no such table: users'), { code: 'SQLITE_ERROR' });
    const shown = serializeError(new QueryFailedError('INSERT INTO users VALUES (?)', ['a secret'], driver));
    expect(shown).toMatchObject({
      type: 'QueryFailedError',
      message: 'no such table: users',
      code: 'SQLITE_ERROR',
    });
    expect(JSON.stringify(shown)).not.toContain('a secret');
  });

  it('follows the causes', () => {
    const shown = serializeError(new Error('outer', { cause: new TypeError('inner') }));
    expect(shown).toMatchObject({ message: 'outer', cause: { type: 'TypeError', message: 'inner' } });
  });

  it('takes whatever was thrown', () => {
    expect(serializeError('text')).toMatchObject({ message: 'text' });
    expect(serializeError(undefined)).toMatchObject({ message: 'undefined' });
  });
});
