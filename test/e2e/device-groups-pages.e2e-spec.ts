import { DataSource } from 'typeorm';
import { DeviceFixture } from '../support/device-fixture';
import { createTestApp, type TestApp } from '../support/test-app';

const GROUPS = '/api/admin/device-groups';

/** Two instances on one database: while one reads a page, the other changes its rows. */
describe('Pages of device groups during changes', () => {
  let test: TestApp;
  let other: TestApp;
  let here: DeviceFixture;
  let there: DeviceFixture;
  let ids: number[];
  beforeAll(async () => {
    test = await createTestApp();
    other = await createTestApp({ database: test.database });
    here = await DeviceFixture.create(test);
    there = await DeviceFixture.create(other);
  });
  beforeEach(async () => {
    await here.clear();
    ids = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push(await here.group(name));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  /** Runs a change on the other instance after this one has received the result of a statement. */
  function changeAfter(statement: string, change: () => Promise<unknown>): void {
    const { manager } = test.app.get(DataSource);
    const query = manager.query.bind(manager);
    let isChanged = false;
    jest.spyOn(manager, 'query').mockImplementation(async (...asked) => {
      const rows: unknown = await query(...asked);
      if (!isChanged && asked[0].startsWith(statement)) {
        isChanged = true;
        await change();
      }
      return rows;
    });
  }

  const namesOn = async (query: string): Promise<string> => {
    const { items, pagination } = (await here.admin.get(`${GROUPS}?${query}`)).body.data;
    return `${items.map(({ name }: { name: string }) => name).join('')} of ${pagination.total}`;
  };
  const remove = (index: number) => () => there.admin.delete(`${GROUPS}/${ids[index]}`);
  const putFirst = (index: number) => () => there.admin.put(`${GROUPS}/${ids[index]}`, { sort_order: -1 });

  it.each([
    ['a group on the page is deleted', 'page=1&per_page=3', remove(1), 'ACD of 4'],
    ['a group before the page is deleted', 'page=2&per_page=2', remove(1), 'DE of 4'],
    ['a group is moved to the front', 'page=1&per_page=3', putFirst(4), 'EAB of 5'],
    ['a group of the page moves within it', 'page=1&per_page=5', putFirst(2), 'CABDE of 5'],
    ['the page becomes empty', 'page=5&per_page=1', remove(0), ' of 4'],
  ])('are complete and in order when %s after the order was read', async (_, query, change, expected) => {
    changeAfter('SELECT id FROM device_groups', change);
    expect(await namesOn(query)).toBe(expected);
  });

  it.each([
    ['a group on the page is deleted', 'page=1&per_page=3', remove(1), 'ACD of 4'],
    ['a group is deleted, read from the other end', 'page=2&per_page=3', remove(4), 'D of 4'],
    ['a group is moved to the front', 'page=1&per_page=3', putFirst(4), 'EAB of 5'],
    ['the page becomes empty', 'page=5&per_page=1', remove(0), ' of 4'],
  ])(
    'are complete and in order under a filter when %s after the count',
    async (_, query, change, expected) => {
      changeAfter('SELECT COUNT(*)', change);
      expect(await namesOn(`${query}&status=1`)).toBe(expected);
    },
  );
});
