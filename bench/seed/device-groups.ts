import { foldCase } from '../../src/common/fold-case';
import { type GroupPosition, placeBelow, ROOT } from '../../src/device-groups/rules/group-path.rules';
import type { Loader } from './loader';
import type { Plan } from './plan';

const ROWS_PER_STATEMENT = 1_000;
const DEEPEST = 10;

interface Group extends GroupPosition {
  id: number;
  parent_id: number | null;
}

/**
 * Inserts three trees with a third of the groups each: one very wide level, chains of ten levels, and a balanced tree.
 * The devices are spread evenly over all groups.
 */
export async function seedDeviceGroups(loader: Loader, plan: Plan): Promise<void> {
  const groups = buildTrees(plan.deviceGroups);
  for (let start = 0; start < groups.length; start += ROWS_PER_STATEMENT) {
    const rows = groups.slice(start, start + ROWS_PER_STATEMENT).map(({ id, parent_id, path, depth }) => {
      const name = `${id % 100 === 0 ? 'Lager' : 'Raum'} G${id}`;
      return `(${id}, '${name}', '${foldCase(name)}', 'Beschreibung ${id}', ${parent_id ?? 'NULL'}, '${path}', ${depth}, ${id % 7}, 1)`;
    });
    await loader.run(
      `INSERT INTO device_groups (id, name, name_search, description, parent_id, path, depth, sort_order, status)
       VALUES ${rows.join(', ')}`,
    );
  }
  await loader.insert(
    'devices',
    'id, name, name_search, serial_no, serial_no_search, status, created_at',
    [
      'n + 1',
      loader.text("'Device '", 'n + 1'),
      loader.text("'device '", 'n + 1'),
      loader.text("'SN-'", 'n + 1'),
      loader.text("'sn-'", 'n + 1'),
      '1',
      loader.moment('2025-01-01', '0'),
    ],
    plan.devices,
  );
  await loader.insert(
    'device_memberships',
    'group_id, device_id',
    [`n % ${groups.length} + 1`, 'n + 1'],
    plan.devices,
  );
  await loader.run('UPDATE device_group_tree SET version = version + 1');
  await loader.analyze(['device_groups', 'device_memberships', 'devices']);
}

function buildTrees(count: number): Group[] {
  const groups: Group[] = [];
  const add = (parent?: Group): Group => {
    const id = groups.length + 1;
    const group = { id, parent_id: parent?.id ?? null, ...placeBelow(parent ?? ROOT, id) };
    groups.push(group);
    return group;
  };
  const third = Math.floor(count / 3);

  const flat = add();
  while (groups.length < third) add(flat);

  while (groups.length < 2 * third) {
    let group = add();
    while (group.depth < DEEPEST && groups.length < 2 * third) group = add(group);
  }

  const width = Math.max(2, Math.round(Math.cbrt(third)));
  let level = [add()];
  while (groups.length < count) {
    const next: Group[] = [];
    for (const parent of level)
      for (let index = 0; index < width && groups.length < count; index += 1) next.push(add(parent));
    level = next;
  }
  return groups;
}
