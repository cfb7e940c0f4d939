import type { ArgumentMetadata } from '@nestjs/common';
import { DtoPipe } from './dto.pipe';
import { PageNumber, Text } from './fields';

class ByPage {
  @PageNumber()
  page!: number;

  @Text({ max: 500, optional: true })
  keyword?: string;
}

class ByPageToo {
  @PageNumber()
  page!: number;
}

const query = (metatype: ArgumentMetadata['metatype']): ArgumentMetadata => ({ type: 'query', metatype });

describe('DtoPipe', () => {
  const pipe = new DtoPipe();

  it('returns the same frozen DTO for the same query', async () => {
    const first = await pipe.transform({ page: '2', stray: 'x' }, query(ByPage));
    const again = await pipe.transform({ page: '2', stray: 'x' }, query(ByPage));
    expect(first).toEqual({ page: 2, keyword: undefined });
    expect(again).toBe(first);
    expect(() => Object.assign(first as ByPage, { page: 3 })).toThrow(TypeError);
  });

  it('returns another DTO for another query or class', async () => {
    expect(await pipe.transform({ page: '3' }, query(ByPage))).toMatchObject({ page: 3 });
    const other = await pipe.transform({ page: '2' }, query(ByPageToo));
    expect(other).toBeInstanceOf(ByPageToo);
    expect(await pipe.transform({ page: ['2'] }, query(ByPage)).catch(String)).toContain('page');
  });

  it('rejects an invalid query each time', async () => {
    for (let time = 0; time < 2; time += 1)
      await expect(pipe.transform({ page: '0' }, query(ByPage))).rejects.toThrow('page 不能小于 1');
  });

  it('does not cache long queries', async () => {
    const long = { keyword: 'k'.repeat(300) };
    const first = await pipe.transform(long, query(ByPage));
    expect(await pipe.transform(long, query(ByPage))).toEqual(first);
    expect(await pipe.transform(long, query(ByPage))).not.toBe(first);
  });

  it('does not cache bodies', async () => {
    const body: ArgumentMetadata = { type: 'body', metatype: ByPage };
    const first = await pipe.transform({ page: 1 }, body);
    expect(await pipe.transform({ page: 1 }, body)).not.toBe(first);
  });
});
