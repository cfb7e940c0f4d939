/*
 * Groups by their names, as files of devices have them (contract 14.4): `阳光花园/1 号楼` from the root, several joined by `|`.
 * `/`, `|` and `\` within a name have a `\` before them. Pure.
 */

/** The part of a group that its names need. */
export interface NamedGroup {
  id: number;
  parent_id: number | null;
  name: string;
}

const SPECIAL = /[\\/|]/g;

/** Returns the paths of some groups as one text. Each path is the names of a group from the root. */
export const renderGroupPaths = (paths: readonly (readonly string[])[]): string =>
  paths.map((names) => names.map((name) => name.replaceAll(SPECIAL, '\\$&')).join('/')).join('|');

/** Parses such a text, path by path. A `\` before any other character is an ordinary character. */
export function* parseGroupPaths(text: string): Generator<string[], void> {
  let names: string[] = [];
  let name = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '\\' && (next === '\\' || next === '/' || next === '|')) {
      name += next;
      at += 1;
    } else if (char === '/') {
      names.push(name);
      name = '';
    } else if (char === '|') {
      yield [...names, name];
      names = [];
      name = '';
    } else name += char;
  }
  yield [...names, name];
}

/** Finds groups by their names. */
export class GroupNames {
  readonly #children = new Map<number | null, Map<string, number[]>>();

  constructor(groups: readonly NamedGroup[]) {
    for (const { id, parent_id, name } of groups) {
      const siblings = this.#children.get(parent_id) ?? new Map<string, number[]>();
      this.#children.set(parent_id, siblings);
      const namesakes = siblings.get(name) ?? [];
      siblings.set(name, namesakes);
      namesakes.push(id);
    }
  }

  /**
   * Returns the ids of the groups that a text names, each once; undefined where a path is of no group, or of several that have the
   * same names. Spaces around a name count only where a group has them too.
   */
  find(text: string): number[] | undefined {
    const ids = new Set<number>();
    for (const names of parseGroupPaths(text)) {
      const [id, another] = this.#idsAt(names);
      if (typeof id !== 'number' || another !== undefined) return undefined;
      ids.add(id);
    }
    return [...ids];
  }

  #idsAt(names: readonly string[]): (number | null)[] {
    let ids: (number | null)[] = [null];
    for (const name of names) {
      ids = ids.flatMap((id) => {
        const siblings = this.#children.get(id);
        return siblings?.get(name) ?? siblings?.get(name.trim()) ?? [];
      });
      if (ids.length === 0) break;
    }
    return ids;
  }
}
