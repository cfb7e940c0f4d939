/*
 * Paths of groups by name, as used in files of devices (API 12.6): `阳光花园/1 号楼` from the root, several joined
 * by `|`. `/`, `|` and `\` within a name are escaped with `\`. Pure.
 */

/** Fields of a group that its path of names requires. */
export interface NamedGroup {
  id: number;
  parent_id: number | null;
  name: string;
}

const SPECIAL = /[\\/|]/g;

/** Renders the paths of groups as one text. Each path lists the names from the root to the group. */
export const renderGroupPaths = (paths: readonly (readonly string[])[]): string =>
  paths.map((names) => names.map((name) => name.replaceAll(SPECIAL, '\\$&')).join('/')).join('|');

/** Parses a text of `renderGroupPaths`, path by path. A `\` before any other character is an ordinary character. */
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

/** Finds groups by their paths of names. */
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
   * Returns the ids of the groups that a text names, without duplicates; undefined if a path matches no group, or
   * several groups. Spaces around a name are significant only if a group has them too.
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
