import { type AuditedActions, type CreatedIds, requireData, type AuditFixture } from './audited-actions';

const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';

const createGroup = async ({ admin }: AuditFixture, more: object = {}): Promise<number> =>
  requireData(await admin.post(GROUPS, { name: 'Hall', sort_order: 5, ...more })).id;
const createDevice = async ({ admin, unique }: AuditFixture, letter = 'a'): Promise<number> =>
  requireData(await admin.post(DEVICES, { name: 'Door', serial_no: `SN-${unique}-${letter}` })).id;

/** A group with a device, and a device in no group. */
const createFullGroup = async (stage: AuditFixture): Promise<CreatedIds> => {
  const [device, other] = [await createDevice(stage), await createDevice(stage, 'b')];
  return { device, other, group: await createGroup(stage, { device_ids: [device] }), unknown: 8e15 };
};

/** A group with two child groups, in order. */
const createFamily = async (stage: AuditFixture): Promise<CreatedIds> => {
  const parent = await createGroup(stage);
  const first = await createGroup(stage, { parent_id: parent, sort_order: 10 });
  return { parent, first, second: await createGroup(stage, { parent_id: parent, sort_order: 20 }) };
};

const DEVICE = { name: 'Door', status: 1, user_id: null };
const COUNTS = { created: 0, updated: 0, unchanged: 0, failed: 0 };

/** A CSV file with a new, an unchanged and an invalid line. */
const csvFile = ({ unique }: AuditFixture): string =>
  `serial_no,name\nnew-${unique},Bell\nSN-${unique}-a,Door\n,Nameless\n`;

const sendFile = ({ admin }: AuditFixture, file: string, query = '') =>
  admin.with({ 'content-type': 'text/csv' }).post(`${DEVICES}/import${query}`, file);
const GROUP = { name: 'Hall', description: '', parent_id: null, sort_order: 5, status: 1 };

/** Audited actions on device groups, by route. */
const GROUP_ACTIONS: AuditedActions = {
  'POST /api/admin/device-groups': {
    action: 'device_group.create',
    setUp: async (stage) => ({ device: await createDevice(stage) }),
    request: ({ admin }, { device }) =>
      admin.post(GROUPS, { name: 'Hall', sort_order: 5, device_ids: [device] }),
    row: ({ device }, { body }) => ({
      object_id: String(body.data.id),
      before: null,
      after: { ...GROUP, device_ids: [device] },
    }),
    rejected: ({ admin }) => admin.post(GROUPS, { name: 'Hall', parent_id: 8e15 }),
  },
  'PUT /api/admin/device-groups/:id': {
    action: 'device_group.update',
    setUp: async (stage) => ({ id: await createGroup(stage), parent: await createGroup(stage) }),
    request: ({ admin }, { id, parent }) =>
      admin.put(`${GROUPS}/${id}`, { name: 'Lobby', sort_order: 5, parent_id: parent }),
    row: ({ id, parent }) => ({
      object_id: String(id),
      before: { name: 'Hall', parent_id: null },
      after: { name: 'Lobby', parent_id: parent },
    }),
    unchanged: ({ admin }, { id, parent }) =>
      admin.put(`${GROUPS}/${id}`, { name: 'Lobby', parent_id: parent }),
    rejected: ({ admin }, { id }) => admin.put(`${GROUPS}/${id}`, { name: 'Attic', parent_id: id }),
  },
  'PUT /api/admin/device-groups/:id/position': {
    action: 'device_group.position',
    setUp: createFamily,
    request: ({ admin }, { second, first }) =>
      admin.put(`${GROUPS}/${second}/position`, { before_id: first }),
    row: ({ second }) => ({
      object_id: String(second),
      before: { sort_order: 20, renumbered: 0 },
      after: { sort_order: 10, renumbered: 1 },
    }),
    unchanged: ({ admin }, { second, first }) =>
      admin.put(`${GROUPS}/${second}/position`, { before_id: first }),
    rejected: ({ admin }, { second }) => admin.put(`${GROUPS}/${second}/position`, { before_id: second }),
  },
  'POST /api/admin/device-groups/move': {
    action: 'device_group.move',
    setUp: async (stage) => ({ ...(await createFamily(stage)), target: await createGroup(stage) }),
    request: ({ admin }, { first, second, target }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [second, first], parent_id: target }),
    row: ({ first, second, target }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, group_ids: [second, first], parent_id: target },
    }),
    unchanged: ({ admin }, { first, second, target }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [second, first], parent_id: target }),
    rejected: ({ admin }, { target, first }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [target], parent_id: first }),
  },
  'DELETE /api/admin/device-groups/:id': {
    action: 'device_group.delete',
    setUp: async (stage) => ({ id: await createGroup(stage), ...(await createFullGroup(stage)) }),
    request: ({ admin }, { id }) => admin.delete(`${GROUPS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: GROUP, after: null }),
    rejected: ({ admin }, { group }) => admin.delete(`${GROUPS}/${group}`),
  },
  'POST /api/admin/device-groups/:id/devices': {
    action: 'device_group.update',
    setUp: createFullGroup,
    request: ({ admin }, { group, device, other }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device, other] }),
    row: ({ group, other }) => ({
      object_id: String(group),
      before: null,
      after: { device_ids: [other] },
    }),
    unchanged: ({ admin }, { group, device }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device] }),
    rejected: ({ admin }, { group, unknown }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [unknown] }),
  },
  'POST /api/admin/device-groups/:id/devices/move': {
    action: 'device.move',
    setUp: async (stage) => ({ ...(await createFullGroup(stage)), target: await createGroup(stage) }),
    request: ({ admin }, { group, device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: group }),
    row: ({ group, device, target }) => ({
      object_id: null,
      before: null,
      after: { affected: 1, device_ids: [device], from_group_id: group, group_id: target },
    }),
    unchanged: ({ admin }, { device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: target }),
    rejected: ({ admin }, { group, device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: group }),
  },
  'DELETE /api/admin/device-groups/:id/devices': {
    action: 'device_group.update',
    setUp: createFullGroup,
    request: ({ admin }, { group, device, other }) =>
      admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [device, other] }),
    row: ({ group, device }) => ({
      object_id: String(group),
      before: { device_ids: [device] },
      after: null,
    }),
    unchanged: ({ admin }, { group, other }) =>
      admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [other] }),
    rejected: ({ admin }, { device }) =>
      admin.delete(`${GROUPS}/8000000000/devices`, { device_ids: [device] }),
  },
};

/** Audited actions on devices and their groups, by route. */
export const DEVICE_ACTIONS: AuditedActions = {
  ...GROUP_ACTIONS,
  'POST /api/admin/devices': {
    action: 'device.create',
    request: ({ admin, unique }) => admin.post(DEVICES, { name: 'Door', serial_no: `new-${unique}` }),
    row: (_given, { body }, { unique }) => ({
      object_id: String(body.data.id),
      before: null,
      after: { ...DEVICE, serial_no: `new-${unique}` },
    }),
    rejected: ({ admin, unique }) => admin.post(DEVICES, { name: 'Gate', serial_no: `new-${unique}` }),
  },
  'PUT /api/admin/devices/:id': {
    action: 'device.update',
    setUp: async (stage) => ({ id: await createDevice(stage) }),
    request: ({ admin }, { id }) => admin.put(`${DEVICES}/${id}`, { name: 'Gate', status: 1 }),
    row: ({ id }) => ({ object_id: String(id), before: { name: 'Door' }, after: { name: 'Gate' } }),
    unchanged: ({ admin }, { id }) => admin.put(`${DEVICES}/${id}`, { name: 'Gate' }),
    rejected: ({ admin }) => admin.put(`${DEVICES}/8000000000`, { name: 'Gate' }),
  },
  'DELETE /api/admin/devices/:id': {
    action: 'device.delete',
    setUp: async (stage) => ({ id: await createDevice(stage) }),
    request: ({ admin }, { id }) => admin.delete(`${DEVICES}/${id}`),
    row: ({ id }, _answer, { unique }) => ({
      object_id: String(id),
      before: { ...DEVICE, serial_no: `SN-${unique}-a` },
      after: null,
    }),
    rejected: ({ admin }, { id }) => admin.delete(`${DEVICES}/${id}`),
  },
  'PUT /api/admin/devices/bulk': {
    action: 'device.bulk_update',
    setUp: createFullGroup,
    request: ({ admin }, { device, other }) =>
      admin.put(`${DEVICES}/bulk`, { device_ids: [device, other], status: 0 }),
    row: ({ device, other }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, device_ids: [device, other], status: 0 },
    }),
    unchanged: ({ admin }, { device }) => admin.put(`${DEVICES}/bulk`, { device_ids: [device], status: 0 }),
    rejected: ({ admin }, { device, unknown }) =>
      admin.put(`${DEVICES}/bulk`, { device_ids: [device, unknown], status: 1 }),
  },
  'PUT /api/admin/devices/matching': {
    action: 'device.bulk_update',
    setUp: async (stage) => ({ id: await createDevice(stage) }),
    request: ({ admin, unique }) => admin.put(`${DEVICES}/matching?keyword=SN-${unique}`, { status: 0 }),
    row: ({ id }) => ({
      object_id: null,
      before: null,
      after: { affected: 1, device_ids: [id], status: 0 },
    }),
    unchanged: ({ admin, unique }) => admin.put(`${DEVICES}/matching?keyword=SN-${unique}`, { status: 0 }),
    rejected: ({ admin }) => admin.put(`${DEVICES}/matching`, { status: 7 }),
  },
  'POST /api/admin/devices/bulk': {
    action: 'device.import',
    setUp: async (stage) => ({ id: await createDevice(stage) }),
    request: ({ admin, unique }) =>
      admin.post(`${DEVICES}/bulk`, {
        devices: [
          { serial_no: `SN-${unique}-a`, status: 0 },
          { serial_no: `new-${unique}`, name: 'Bell' },
          {},
        ],
      }),
    row: () => ({ object_id: null, before: null, after: { ...COUNTS, created: 1, updated: 1, failed: 1 } }),
    unchanged: ({ admin, unique }) =>
      admin.post(`${DEVICES}/bulk`, { devices: [{ serial_no: `SN-${unique}-a`, status: 0 }, {}] }),
    rejected: ({ admin }) => admin.post(`${DEVICES}/bulk`, { devices: [] }),
  },
  'POST /api/admin/devices/import': {
    action: 'device.import',
    setUp: async (stage) => {
      await createDevice(stage);
      await sendFile(stage, csvFile(stage), '?dry_run=1');
      return {};
    },
    request: (stage) => sendFile(stage, csvFile(stage)),
    row: () => ({ object_id: null, before: null, after: { ...COUNTS, created: 1, unchanged: 1, failed: 1 } }),
    unchanged: (stage) => sendFile(stage, csvFile(stage)),
    rejected: (stage) => sendFile(stage, 'name\nBell\n'),
  },
  'DELETE /api/admin/devices': {
    action: 'device.delete',
    setUp: createFullGroup,
    request: ({ admin }, { device, other }) => admin.delete(DEVICES, { device_ids: [device, other] }),
    row: ({ device, other }) => ({
      object_id: null,
      before: { affected: 2, device_ids: [device, other] },
      after: null,
    }),
    rejected: ({ admin }, { device }) => admin.delete(DEVICES, { device_ids: [device] }),
  },
};
