import { IsInt, ValidateBy, ValidateIf } from 'class-validator';
import { compileDto } from './compiled-dto';
import { toDto } from './dto.pipe';
import { Text } from './fields';

class Renaming {
  @Text({ max: 5 })
  name!: string;

  @ValidateIf(({ name }: Renaming) => name === 'both')
  @Text({ max: 5 })
  second?: string;
}

class Renumbering extends Renaming {
  @IsInt()
  number!: number;
}

class Approval extends Renaming {
  @Text({ max: 5, optional: true })
  @ValidateBy({
    name: 'later',
    validator: { validate: () => Promise.resolve(true), defaultMessage: () => '' },
  })
  approver?: string;
}

// The DTOs of the service are compared with the libraries in test/contract/compiled-dtos.spec.ts.
describe('compileDto', () => {
  it('returns a function that converts a valid object, and returns undefined for an invalid one', () => {
    const read = compileDto(Renaming);
    expect(read?.({ name: 'x', second: 6, third: 3 })).toStrictEqual(
      Object.assign(new Renaming(), { name: 'x', second: 6 }),
    );
    expect(read?.({ name: 'both', second: 6 })).toBeUndefined();
    expect(read?.({})).toBeUndefined();
  });

  it('returns undefined for a class with a decorator other than those of common/input', async () => {
    expect(compileDto(Renumbering)).toBeUndefined();
    await expect(toDto(Renumbering, { name: 'x', number: 'y' })).rejects.toThrow('number');
  });

  it('leaves asynchronous constraints to class-validator', async () => {
    const sent = { name: 'x', approver: 'y' };
    expect(compileDto(Approval)?.(sent)).toBeUndefined();
    expect(await toDto(Approval, sent)).toMatchObject(sent);
  });
});
