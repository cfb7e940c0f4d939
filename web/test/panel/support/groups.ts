import { expect, type Locator, type Page } from '@playwright/test';
import type { Stage } from '../../support/stage';

/** Creates groups with a common parent and returns their ids by name. */
export async function makeGroups(
  stage: Stage,
  names: readonly string[],
  parentId: number | null = null,
): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  for (const [index, name] of names.entries()) {
    const body = { name, parent_id: parentId, sort_order: (index + 1) * 10 };
    made[name] = (await stage.requestAsAdmin('POST', '/api/admin/device-groups', body)).id;
  }
  return made;
}

/** Creates a group at the top level for this test, with children. */
export async function makeSite(stage: Stage, names: readonly string[]) {
  const name = `Site ${crypto.randomUUID().slice(0, 8)}`;
  const { [name]: id = 0 } = await makeGroups(stage, [name]);
  return { id, name, inside: await makeGroups(stage, names, id) };
}

interface Node {
  id: number;
  name: string;
  children: Node[];
}

const below = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...below(node.children)]);

async function groupWithId(stage: Stage, id: number): Promise<Node | undefined> {
  const tree: Node[] = await stage.requestAsAdmin('GET', '/api/admin/device-groups/tree');
  return below(tree).find((node) => node.id === id);
}

/** Returns the group with this name among the descendants of a group. */
export async function groupNamed(stage: Stage, inId: number, name: string): Promise<Node> {
  const found = below((await groupWithId(stage, inId))?.children ?? []).find((node) => node.name === name);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}

/** Returns the service's tree below a group as text: `A(B C)`. */
export async function insideOf(stage: Stage, id: number): Promise<string> {
  const write = (nodes: Node[]): string =>
    nodes
      .map(({ name, children }) => (children.length === 0 ? name : `${name}(${write(children)})`))
      .join(' ');
  return write((await groupWithId(stage, id))?.children ?? []);
}

export const row = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true });

/**
 * Positions in a row for drops before, into and after the group: the upper and lower quarter of the 36 pixels are
 * beside it.
 */
export const BEFORE = { targetPosition: { x: 90, y: 5 } };
export const INTO = { targetPosition: { x: 90, y: 18 } };
export const AFTER = { targetPosition: { x: 90, y: 31 } };

/**
 * Drags a row to a position of a row of the tree. Both are visible before: if the list scrolled while the button is down,
 * the browser would drag the row that has moved below the pointer.
 */
export async function drag(source: Locator, target: Locator, position: typeof INTO): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  await source.scrollIntoViewIfNeeded();
  await source.dragTo(target, position);
}

/** Expands a group, after it has become the selected one. */
export async function openGroup(page: Page, name: string): Promise<void> {
  await expect(row(page, name)).toHaveAttribute('aria-selected', 'true');
  await row(page, name).locator('[data-arrow]').click();
  await expect(row(page, name)).toHaveAttribute('aria-expanded', 'true');
}
