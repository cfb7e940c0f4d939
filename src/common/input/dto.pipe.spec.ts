import type { ArgumentMetadata } from '@nestjs/common';
import { DtoPipe } from './dto.pipe';
import { PageNumber, Text } from './fields';

class ByPage {
  @PageNumber()
  page!: number;

  @Text({ max: 500, optional: true })
  keyword?: string;
}

const query: ArgumentMetadata = { type: 'query', metatype: ByPage };

describe('DtoPipe', () => {
  const pipe = new DtoPipe();

  it('converts a query and ignores fields that are not declared', async () => {
    expect(await pipe.transform({ page: '2', stray: 'x' }, query)).toStrictEqual(
      Object.assign(new ByPage(), { page: 2, keyword: undefined }),
    );
  });

  it('rejects an invalid query', async () => {
    await expect(pipe.transform({ page: '0' }, query)).rejects.toThrow('page 不能小于 1');
    await expect(pipe.transform({ page: ['2'] }, query)).rejects.toThrow('page 必须是整数');
  });
});
