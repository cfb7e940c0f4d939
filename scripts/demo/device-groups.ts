import type { DemoClient } from './client';

interface Created {
  id: number;
}

/** Creates a small tree of device groups, adds devices, moves a branch, and shows the result. */
export async function demonstrateDeviceGroups(
  admin: DemoClient,
  chapter: (title: string) => void,
): Promise<void> {
  chapter('Device groups: build a tree, fill it, move a branch');
  const groups = '/api/admin/device-groups';
  const door = await admin.post<Created>('/api/admin/devices', { name: '东门门口机', serial_no: 'GATE-E' });
  const estate = await admin.post<Created>(groups, { name: '阳光花园', description: '住宅小区' });
  const tower = await admin.post<Created>(groups, { name: '1 号楼', parent_id: estate.id });
  const gates = await admin.post<Created>(groups, { name: '出入口', device_ids: [door.id] });
  await admin.post(`${groups}/${tower.id}/devices`, { device_ids: [door.id] });
  await admin.put(`${groups}/${gates.id}`, { parent_id: estate.id, sort_order: -1 });
  await admin.put(`${groups}/${estate.id}`, { parent_id: tower.id });
  await admin.get(`${groups}/tree`);
  await admin.delete(`${groups}/${estate.id}`);
  await admin.get(`${groups}/${estate.id}/devices?recursive=1`);
}
