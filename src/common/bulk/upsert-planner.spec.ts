import { invalidField } from '../errors/business-error';
import { countUpserts, type InputRow, planUpserts, toUpsertOutcome } from './upsert-planner';

interface Book {
  title?: string;
}

const row = (key: string, title?: string): InputRow<Book> => ({ key, input: { title } });

/** Plans rows when the book `a` exists. A title can occur in one row only. */
function plan(rows: InputRow<Book>[], seen?: Set<string>) {
  const titles = new Set<string | undefined>();
  const rules = {
    keyField: 'isbn',
    existing: new Map([['a', { id: 1, title: 'Emma' }]]),
    validate: ({ title }: Book) => (titles.has(title) ? invalidField('title', 'invalid') : undefined),
    accept: ({ title }: Book) => void titles.add(title),
    matches: (book: Book, { title }: Book) => title === book.title,
  };
  return planUpserts(rows, rules, seen);
}
/** Returns key, result, id and error message of each row, when `x` is created with the id 7. */
const outcomesOf = (rows: InputRow<Book>[], seen?: Set<string>) =>
  plan(rows, seen)
    .map((step) => toUpsertOutcome(step, new Map([['x', 7]])))
    .map(({ key, result, id, error }) => [key, result, id, ...(error ? [error.message] : [])]);

describe('planUpserts', () => {
  it('creates unknown objects and compares existing ones with the input', () => {
    const existing = { id: 1, title: 'Emma' };
    expect(plan([row('x', 'Lady Susan')])).toEqual([
      { result: 'created', key: 'x', input: { title: 'Lady Susan' } },
    ]);
    expect(plan([row('a', 'Sanditon')])).toEqual([
      { result: 'updated', key: 'a', existing, input: { title: 'Sanditon' } },
    ]);
    expect(plan([row('a', 'Emma')])).toEqual([
      { result: 'unchanged', key: 'a', existing, input: { title: 'Emma' } },
    ]);
  });

  it('keeps the error of rows that could not be parsed and continues', () => {
    const error = invalidField('isbn', 'required');
    expect(outcomesOf([{ key: null, error }, { key: null, error }, row('a', 'Emma')])).toEqual([
      [null, 'error', null, 'isbn 字段不能为空'],
      [null, 'error', null, 'isbn 字段不能为空'],
      ['a', 'unchanged', 1],
    ]);
  });

  it('rejects every repetition of a key, also when the first row failed', () => {
    const error = invalidField('title', 'notAString');
    expect(outcomesOf([{ key: 'x', error }, row('x'), row('a'), row('a', 'Emma')])).toEqual([
      ['x', 'error', null, 'title 必须是字符串'],
      ['x', 'error', null, 'isbn 取值无效'],
      ['a', 'updated', 1],
      ['a', 'error', 1, 'isbn 取值无效'],
    ]);
  });

  it('rejects keys of earlier parts of the input and adds its own', () => {
    const seen = new Set(['a']);
    expect(outcomesOf([row('a'), row('x')], seen)).toEqual([
      ['a', 'error', 1, 'isbn 取值无效'],
      ['x', 'created', 7],
    ]);
    expect([...seen]).toEqual(['a', 'x']);
  });

  it('passes valid rows only to accept, so that they affect later rows', () => {
    expect(
      outcomesOf([row('a', 'Sanditon'), row('a', 'Emma'), row('y', 'Sanditon'), row('x', 'Emma')]),
    ).toEqual([
      ['a', 'updated', 1],
      ['a', 'error', 1, 'isbn 取值无效'],
      ['y', 'error', null, 'title 取值无效'],
      ['x', 'created', 7],
    ]);
  });
});

describe('countUpserts', () => {
  it('counts the results by kind', () => {
    const results = ['created', 'error', 'created', 'unchanged', 'error', 'error'] as const;
    expect(countUpserts(results.map((result) => ({ result })))).toEqual({
      created: 2,
      updated: 0,
      unchanged: 1,
      failed: 3,
    });
  });
});
