import { Text } from '../input/fields';
import { rowParser } from './input-rows';

class BookRow {
  @Text({ max: 3 })
  isbn!: string;

  @Text({ max: 5, optional: true })
  title?: string;
}

const parse = rowParser({ type: BookRow, arrayField: 'books', keyField: 'isbn', maxKeyLength: 3 });

describe('rowParser', () => {
  it('returns the input of a valid row with its key', async () => {
    expect(await parse({ isbn: 'a', title: 'Emma', pages: 9 })).toEqual({
      key: 'a',
      input: { isbn: 'a', title: 'Emma' },
    });
  });

  it.each([
    [null, null, 'books 必须是对象'],
    [['a'], null, 'books 必须是对象'],
    [{ title: 'Emma' }, null, 'isbn 字段不能为空'],
    [{ isbn: '' }, null, 'isbn 字段不能为空'],
    [{ isbn: 'long' }, null, 'isbn 长度不能超过 3 个字符'],
    [{ isbn: 'a', title: 7 }, 'a', 'title 必须是字符串'],
  ])('returns for %j the key %j and the error %s', async (sent, key, message) => {
    expect(await parse(sent)).toMatchObject({ key, error: { message } });
  });
});
