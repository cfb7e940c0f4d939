import type { LookupAddress } from 'node:dns';
import { NameResolver } from './name-resolver';

describe('NameResolver', () => {
  it('does not delay a fast name behind names without a response', async () => {
    const asked: string[] = [];
    const names = new (class extends NameResolver {
      protected override ask(name: string): Promise<LookupAddress[]> {
        asked.push(name);
        return name === 'quick.example'
          ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
          : new Promise(() => undefined);
      }
    })();
    const quick = [{ address: '127.0.0.1', family: 4 }];
    expect(await names.addressesOf('quick.example')).toEqual(quick);
    for (const name of ['a.example', 'b.example', 'c.example']) void names.addressesOf(name);
    expect(await names.addressesOf('quick.example')).toEqual(quick);
    expect(asked).toEqual(['quick.example', 'a.example', 'quick.example']);
  });
});
