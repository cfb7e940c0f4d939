import { DataSource } from 'typeorm';
import type { ApiClient } from './api-client';
import type { TestApp } from './test-app';

export interface TreeNode {
  id: number;
  name: string;
  children: TreeNode[];
}

/** Creates device groups and devices over HTTP, as an administrator. */
export class DeviceFixture {
  private constructor(
    private readonly test: TestApp,
    readonly admin: ApiClient,
  ) {}

  static async create(test: TestApp): Promise<DeviceFixture> {
    return new DeviceFixture(test, await test.api.as({ id: 1, role: 'admin' }));
  }

  /** Creates a group and returns its id. */
  group = async (name: string, more: Record<string, unknown> = {}): Promise<number> => {
    const { body } = await this.admin.post('/api/admin/device-groups', { name, ...more });
    if (body.code !== 0) throw new Error(body.message);
    return body.data.id;
  };

  /** Creates a chain of nested groups and returns their ids from the top. */
  async nestedGroups(names: string[], parent_id: number | null = null): Promise<number[]> {
    const ids: number[] = [];
    for (const name of names) ids.push(await this.group(name, { parent_id: ids.at(-1) ?? parent_id }));
    return ids;
  }

  /** Creates a device and returns its id. */
  async device(name: string, more: Record<string, unknown> = {}): Promise<number> {
    const { body } = await this.admin.post('/api/admin/devices', { name, ...more });
    if (body.code !== 0) throw new Error(body.message);
    return body.data.id;
  }

  async devices(count: number): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 1; index <= count; index += 1) ids.push(await this.device(`Device ${index}`));
    return ids;
  }

  /** Returns the tree as nested arrays of names: `[['A', [['B', []]]]]`. */
  async treeShape(): Promise<unknown[]> {
    const { body } = await this.admin.get('/api/admin/device-groups/tree');
    return shapeOf(body.data);
  }

  /** Returns the ids of the devices in a group. */
  async deviceIds(group: number, query = 'per_page=100'): Promise<number[]> {
    const { body } = await this.admin.get(`/api/admin/device-groups/${group}/devices?${query}`);
    return body.data.items.map(({ id }: { id: number }) => id);
  }

  /** Deletes every group and device. */
  async clear(): Promise<void> {
    const dataSource = this.test.app.get(DataSource);
    for (const table of ['device_memberships', 'devices', 'device_groups']) {
      await dataSource.query(`DELETE FROM ${table}`);
    }
    await dataSource.query('UPDATE device_group_tree SET version = version + 1');
    await dataSource.query('UPDATE device_totals SET online = 0');
  }
}

const shapeOf = (nodes: TreeNode[]): unknown[] =>
  nodes.map(({ name, children }) => [name, shapeOf(children)]);

/** An id without a row. */
export const UNKNOWN_ID = 999_999_999;
