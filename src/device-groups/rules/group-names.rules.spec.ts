import * as fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs';
import { GroupNames, parseGroupPaths, renderGroupPaths } from './group-names.rules';

describe('Paths of groups', () => {
  it.each([
    [[['阳光花园', '1 号楼']], '阳光花园/1 号楼'],
    [[['A', 'B'], ['C']], 'A/B|C'],
    [[['A/B', 'C|D']], String.raw`A\/B/C\|D`],
    [[['A\\', '/']], String.raw`A\\/\/`],
  ])('renders %j as %s', (paths, text) => {
    expect(renderGroupPaths(paths)).toBe(text);
    expect([...parseGroupPaths(text)]).toEqual(paths);
  });

  it('keeps a backslash that escapes nothing', () => {
    expect([...parseGroupPaths(String.raw`C:\dir/\x\\`)]).toEqual([['C:\\dir', '\\x\\']]);
  });

  it('parses every text that it renders', () => {
    const name = fc.string({ unit: fc.constantFrom('\\', '/', '|', 'a', '门'), maxLength: 6 });
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(paths, (given) => {
        expect([...parseGroupPaths(renderGroupPaths(given))]).toEqual(given);
      }),
      propertyRuns(200),
    );
  });
});

describe('GroupNames', () => {
  const groups = new GroupNames([
    { id: 1, parent_id: null, name: 'Garden' },
    { id: 2, parent_id: 1, name: 'Building 1' },
    { id: 3, parent_id: null, name: 'A/B' },
    { id: 4, parent_id: null, name: 'Twin' },
    { id: 5, parent_id: null, name: 'Twin' },
    { id: 6, parent_id: 5, name: 'Only here' },
    { id: 7, parent_id: 1, name: ' Spaced ' },
  ]);

  it.each([
    ['Garden', [1]],
    ['Garden/Building 1', [2]],
    ['Garden / Building 1', [2]],
    [String.raw`A\/B|Garden|A\/B`, [3, 1]],
    ['Twin/Only here', [6]],
    ['Garden/ Spaced ', [7]],
    ['Twin', undefined],
    ['Building 1', undefined],
    ['Garden|', undefined],
    ['Garden/', undefined],
    ['A/B', undefined],
    ['garden', undefined],
  ])('finds %j as %j', (text, ids) => {
    expect(groups.find(text)).toEqual(ids);
  });
});
