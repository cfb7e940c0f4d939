import { type AuditedActs, type Given, made, type Stage } from './audited-acts';

const GROUPS = '/api/admin/device-groups';
const DEVICES = '/api/admin/devices';

const aGroup = async ({ admin }: Stage, more: object = {}): Promise<number> =>
  made(await admin.post(GROUPS, { name: 'Hall', sort_order: 5, ...more })).id;
const aDevice = async ({ admin, unique }: Stage, letter = 'a'): Promise<number> =>
  made(await admin.post(DEVICES, { name: 'Door', serial_no: `SN-${unique}-${letter}` })).id;

/** A group with a device, and a device in no group. */
const aFullGroup = async (stage: Stage): Promise<Given> => {
  const [device, other] = [await aDevice(stage), await aDevice(stage, 'b')];
  return { device, other, group: await aGroup(stage, { device_ids: [device] }), unknown: 8e15 };
};

/** A group with two child groups, in order. */
const aFamily = async (stage: Stage): Promise<Given> => {
  const parent = await aGroup(stage);
  const first = await aGroup(stage, { parent_id: parent, sort_order: 10 });
  return { parent, first, second: await aGroup(stage, { parent_id: parent, sort_order: 20 }) };
};

const DOOR = { name: 'Door', status: 1, user_id: null };
const COUNTS = { created: 0, updated: 0, unchanged: 0, failed: 0 };

/** A CSV file with a new, an unchanged and an invalid line. */
const aFile = ({ unique }: Stage): string =>
  `serial_no,name\nnew-${unique},Bell\nSN-${unique}-a,Door\n,Nameless\n`;

const sendFile = ({ admin }: Stage, file: string, query = '') =>
  admin.with({ 'content-type': 'text/csv' }).post(`${DEVICES}/import${query}`, file);
const HALL = { name: 'Hall', description: '', parent_id: null, sort_order: 5, status: 1 };

/** Audited actions on device groups, by route. */
const GROUP_ACTS: AuditedActs = {
  'POST /api/admin/device-groups': {
    action: 'device_group.create',
    given: async (stage) => ({ device: await aDevice(stage) }),
    act: ({ admin }, { device }) => admin.post(GROUPS, { name: 'Hall', sort_order: 5, device_ids: [device] }),
    row: ({ device }, { body }) => ({
      object_id: String(body.data.id),
      before: null,
      after: { ...HALL, device_ids: [device] },
    }),
    refused: ({ admin }) => admin.post(GROUPS, { name: 'Hall', parent_id: 8e15 }),
  },
  'PUT /api/admin/device-groups/:id': {
    action: 'device_group.update',
    given: async (stage) => ({ id: await aGroup(stage), parent: await aGroup(stage) }),
    act: ({ admin }, { id, parent }) =>
      admin.put(`${GROUPS}/${id}`, { name: 'Lobby', sort_order: 5, parent_id: parent }),
    row: ({ id, parent }) => ({
      object_id: String(id),
      before: { name: 'Hall', parent_id: null },
      after: { name: 'Lobby', parent_id: parent },
    }),
    nothing: ({ admin }, { id, parent }) =>
      admin.put(`${GROUPS}/${id}`, { name: 'Lobby', parent_id: parent }),
    refused: ({ admin }, { id }) => admin.put(`${GROUPS}/${id}`, { name: 'Attic', parent_id: id }),
  },
  'PUT /api/admin/device-groups/:id/position': {
    action: 'device_group.position',
    given: aFamily,
    act: ({ admin }, { second, first }) => admin.put(`${GROUPS}/${second}/position`, { before_id: first }),
    row: ({ second }) => ({
      object_id: String(second),
      before: { sort_order: 20, renumbered: 0 },
      after: { sort_order: 10, renumbered: 1 },
    }),
    nothing: ({ admin }, { second, first }) =>
      admin.put(`${GROUPS}/${second}/position`, { before_id: first }),
    refused: ({ admin }, { second }) => admin.put(`${GROUPS}/${second}/position`, { before_id: second }),
  },
  'POST /api/admin/device-groups/move': {
    action: 'device_group.move',
    given: async (stage) => ({ ...(await aFamily(stage)), target: await aGroup(stage) }),
    act: ({ admin }, { first, second, target }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [second, first], parent_id: target }),
    row: ({ first, second, target }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, group_ids: [second, first], parent_id: target },
    }),
    nothing: ({ admin }, { first, second, target }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [second, first], parent_id: target }),
    refused: ({ admin }, { target, first }) =>
      admin.post(`${GROUPS}/move`, { group_ids: [target], parent_id: first }),
  },
  'DELETE /api/admin/device-groups/:id': {
    action: 'device_group.delete',
    given: async (stage) => ({ id: await aGroup(stage), ...(await aFullGroup(stage)) }),
    act: ({ admin }, { id }) => admin.delete(`${GROUPS}/${id}`),
    row: ({ id }) => ({ object_id: String(id), before: HALL, after: null }),
    refused: ({ admin }, { group }) => admin.delete(`${GROUPS}/${group}`),
  },
  'POST /api/admin/device-groups/:id/devices': {
    action: 'device_group.update',
    given: aFullGroup,
    act: ({ admin }, { group, device, other }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device, other] }),
    row: ({ group, other }) => ({
      object_id: String(group),
      before: null,
      after: { device_ids: [other] },
    }),
    nothing: ({ admin }, { group, device }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [device] }),
    refused: ({ admin }, { group, unknown }) =>
      admin.post(`${GROUPS}/${group}/devices`, { device_ids: [unknown] }),
  },
  'POST /api/admin/device-groups/:id/devices/move': {
    action: 'device.move',
    given: async (stage) => ({ ...(await aFullGroup(stage)), target: await aGroup(stage) }),
    act: ({ admin }, { group, device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: group }),
    row: ({ group, device, target }) => ({
      object_id: null,
      before: null,
      after: { affected: 1, device_ids: [device], from_group_id: group, group_id: target },
    }),
    nothing: ({ admin }, { device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: target }),
    refused: ({ admin }, { group, device, target }) =>
      admin.post(`${GROUPS}/${target}/devices/move`, { device_ids: [device], from_group_id: group }),
  },
  'DELETE /api/admin/device-groups/:id/devices': {
    action: 'device_group.update',
    given: aFullGroup,
    act: ({ admin }, { group, device, other }) =>
      admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [device, other] }),
    row: ({ group, device }) => ({
      object_id: String(group),
      before: { device_ids: [device] },
      after: null,
    }),
    nothing: ({ admin }, { group, other }) =>
      admin.delete(`${GROUPS}/${group}/devices`, { device_ids: [other] }),
    refused: ({ admin }, { device }) =>
      admin.delete(`${GROUPS}/8000000000/devices`, { device_ids: [device] }),
  },
};

/** Audited actions on devices and their groups, by route. */
export const DEVICE_ACTS: AuditedActs = {
  ...GROUP_ACTS,
  'POST /api/admin/devices': {
    action: 'device.create',
    act: ({ admin, unique }) => admin.post(DEVICES, { name: 'Door', serial_no: `new-${unique}` }),
    row: (_given, { body }, { unique }) => ({
      object_id: String(body.data.id),
      before: null,
      after: { ...DOOR, serial_no: `new-${unique}` },
    }),
    refused: ({ admin, unique }) => admin.post(DEVICES, { name: 'Gate', serial_no: `new-${unique}` }),
  },
  'PUT /api/admin/devices/:id': {
    action: 'device.update',
    given: async (stage) => ({ id: await aDevice(stage) }),
    act: ({ admin }, { id }) => admin.put(`${DEVICES}/${id}`, { name: 'Gate', status: 1 }),
    row: ({ id }) => ({ object_id: String(id), before: { name: 'Door' }, after: { name: 'Gate' } }),
    nothing: ({ admin }, { id }) => admin.put(`${DEVICES}/${id}`, { name: 'Gate' }),
    refused: ({ admin }) => admin.put(`${DEVICES}/8000000000`, { name: 'Gate' }),
  },
  'DELETE /api/admin/devices/:id': {
    action: 'device.delete',
    given: async (stage) => ({ id: await aDevice(stage) }),
    act: ({ admin }, { id }) => admin.delete(`${DEVICES}/${id}`),
    row: ({ id }, _answer, { unique }) => ({
      object_id: String(id),
      before: { ...DOOR, serial_no: `SN-${unique}-a` },
      after: null,
    }),
    refused: ({ admin }, { id }) => admin.delete(`${DEVICES}/${id}`),
  },
  'PUT /api/admin/devices/bulk': {
    action: 'device.bulk_update',
    given: aFullGroup,
    act: ({ admin }, { device, other }) =>
      admin.put(`${DEVICES}/bulk`, { device_ids: [device, other], status: 0 }),
    row: ({ device, other }) => ({
      object_id: null,
      before: null,
      after: { affected: 2, device_ids: [device, other], status: 0 },
    }),
    nothing: ({ admin }, { device }) => admin.put(`${DEVICES}/bulk`, { device_ids: [device], status: 0 }),
    refused: ({ admin }, { device, unknown }) =>
      admin.put(`${DEVICES}/bulk`, { device_ids: [device, unknown], status: 1 }),
  },
  'POST /api/admin/devices/bulk': {
    action: 'device.import',
    given: async (stage) => ({ id: await aDevice(stage) }),
    act: ({ admin, unique }) =>
      admin.post(`${DEVICES}/bulk`, {
        devices: [
          { serial_no: `SN-${unique}-a`, status: 0 },
          { serial_no: `new-${unique}`, name: 'Bell' },
          {},
        ],
      }),
    row: () => ({ object_id: null, before: null, after: { ...COUNTS, created: 1, updated: 1, failed: 1 } }),
    nothing: ({ admin, unique }) =>
      admin.post(`${DEVICES}/bulk`, { devices: [{ serial_no: `SN-${unique}-a`, status: 0 }, {}] }),
    refused: ({ admin }) => admin.post(`${DEVICES}/bulk`, { devices: [] }),
  },
  'POST /api/admin/devices/import': {
    action: 'device.import',
    given: async (stage) => {
      await aDevice(stage);
      await sendFile(stage, aFile(stage), '?dry_run=1');
      return {};
    },
    act: (stage) => sendFile(stage, aFile(stage)),
    row: () => ({ object_id: null, before: null, after: { ...COUNTS, created: 1, unchanged: 1, failed: 1 } }),
    nothing: (stage) => sendFile(stage, aFile(stage)),
    refused: (stage) => sendFile(stage, 'name\nBell\n'),
  },
  'DELETE /api/admin/devices': {
    action: 'device.delete',
    given: aFullGroup,
    act: ({ admin }, { device, other }) => admin.delete(DEVICES, { device_ids: [device, other] }),
    row: ({ device, other }) => ({
      object_id: null,
      before: { affected: 2, device_ids: [device, other] },
      after: null,
    }),
    refused: ({ admin }, { device }) => admin.delete(DEVICES, { device_ids: [device] }),
  },
};
