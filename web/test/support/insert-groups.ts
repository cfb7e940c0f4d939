import Database from 'better-sqlite3';

/**
 * Returns the name of a group by its indexes on each level: `[2, 0]` is the first child of the third group at the top.
 */
type NameOf = (place: readonly number[]) => string;

/**
 * Inserts a tree of groups directly into the database of a running service, which takes a second. `widths` has the
 * number of children per level: `[100, 99]` creates a hundred groups at the top with ninety-nine each. Returns the
 * number of groups.
 */
export function insertGroups(databaseFile: string, widths: readonly number[], nameOf: NameOf): number {
  const database = new Database(databaseFile);
  const insert = database.prepare(
    `INSERT INTO device_groups (name, name_search, description, parent_id, path, depth, sort_order, status)
     VALUES (?, ?, '', ?, '', ?, ?, 1)`,
  );
  const setPath = database.prepare('UPDATE device_groups SET path = ? WHERE id = ?');
  let inserted = 0;
  const insertLevel = (place: readonly number[], parent: { id: number; path: string } | null): void => {
    const width = widths[place.length] ?? 0;
    for (let index = 0; index < width; index += 1) {
      const here = [...place, index];
      const name = nameOf(here);
      const parentId = parent?.id ?? null;
      const order = (index + 1) * 10;
      const id = Number(insert.run(name, name.toLowerCase(), parentId, here.length, order).lastInsertRowid);
      const path = `${parent?.path ?? '/'}${id}/`;
      setPath.run(path, id);
      inserted += 1;
      insertLevel(here, { id, path });
    }
  };
  database.transaction(() => {
    insertLevel([], null);
    database.prepare('UPDATE device_group_tree SET version = version + 1').run();
  })();
  database.close();
  return inserted;
}
