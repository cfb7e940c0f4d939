import type { LookupAddress } from 'node:dns';
import { NameResolver } from './name-resolver';

const ADDRESSES = [{ address: '127.0.0.1', family: 4 }];

const failure = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));

/** Knows `quick.example` by DNS, and every name by the operating system. DNS does not respond for `silent.example`. */
class TestResolver extends NameResolver {
  readonly asked: string[] = [];

  protected override records(name: string, family: 4 | 6): Promise<string[]> {
    if (family === 6) return failure('ENODATA');
    this.asked.push(`query ${name}`);
    if (name === 'silent.example') return new Promise(() => undefined);
    if (name === 'late.example') return failure('ETIMEOUT');
    return name === 'quick.example' ? Promise.resolve(['127.0.0.1']) : failure('ESERVFAIL');
  }

  protected override lookUp(name: string): Promise<LookupAddress[]> {
    this.asked.push(`look up ${name}`);
    return Promise.resolve(ADDRESSES);
  }
}

describe('NameResolver', () => {
  it('does not delay a name behind one without a response', async () => {
    const names = new TestResolver();
    void names.addressesOf('silent.example');
    expect(await names.addressesOf('quick.example')).toEqual(ADDRESSES);
    expect(await names.addressesOf('intranet.example')).toEqual(ADDRESSES);
    expect(names.asked).toEqual([
      'query silent.example',
      'query quick.example',
      'query intranet.example',
      'look up intranet.example',
    ]);
  });

  it('looks up no name whose DNS servers do not respond in time', async () => {
    const names = new TestResolver();
    await expect(names.addressesOf('late.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(names.asked).toEqual(['query late.example']);
  });

  it('looks up a name without a dot as the operating system does', async () => {
    const names = new TestResolver();
    expect(await names.addressesOf('billing')).toEqual(ADDRESSES);
    expect(names.asked).toEqual(['look up billing']);
  });

  it('asks once for concurrent calls, and again afterwards', async () => {
    const names = new TestResolver();
    await Promise.all([names.addressesOf('quick.example'), names.addressesOf('quick.example')]);
    expect(names.asked).toEqual(['query quick.example']);
    await names.addressesOf('quick.example');
    expect(names.asked).toEqual(['query quick.example', 'query quick.example']);
  });
});
