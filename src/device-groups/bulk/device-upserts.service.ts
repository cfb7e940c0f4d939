import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import { Clock } from '../../common/clock';
import { foldCase } from '../../common/fold-case';
import { insertAllotted } from '../../database/sql/statements';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { countsOf } from '../dto/device-upserts.dto';
import type { DeviceMembershipEntity } from '../entities/device-membership.entity';
import { DeviceEntity } from '../entities/device.entity';
import { DeviceChanges } from '../events/device-changes';
import { bumpMembershipVersion } from '../memberships.queries';
import {
  groupChanges,
  matchesFields,
  type DeviceInputRow,
  planDeviceUpserts,
  type PlannedDevice,
  type DeviceUpsertOutcome,
} from '../rules/device-upsert-plan';
import { newDevice } from '../rules/new-device';
import {
  changeMemberships,
  type ExistingDevice,
  loadCurrentDevices,
  updateDevices,
} from './device-upserts.queries';
import { parseInput } from './device-inputs';

/** Ids of created devices by serial number. */
type Ids = ReadonlyMap<string, number>;

/** Creates and changes devices, identified by serial number (contract 14.4). */
@Injectable()
export class DeviceUpsertsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly users: UsersService,
    private readonly changes: DeviceChanges,
  ) {}

  /**
   * Creates or changes the devices of a request, at most 500, which are not validated yet.
   * @returns the result for each device, in order
   */
  async upsert(sent: readonly unknown[]): Promise<DeviceUpsertOutcome[]> {
    const lines = await Promise.all(sent.map(parseInput));
    return this.apply(lines, { seen: new Set(), note: recordUpserts });
  }

  /**
   * Creates or changes devices in one transaction. A device with an error does not affect the others; its result
   * contains the error.
   * @param seen serial numbers of earlier parts of the input; those of `lines` are added
   * @param note receives the results, in the transaction that writes them
   * @returns the result for each line, in order
   */
  async apply(
    lines: readonly DeviceInputRow[],
    {
      seen,
      note,
    }: { seen: Set<string>; note: (em: EntityManager, done: readonly DeviceUpsertOutcome[]) => void },
  ): Promise<DeviceUpsertOutcome[]> {
    const results = await this.transactions.run(
      async (em) => {
        const steps = await this.#plan(em, lines, { seen: new Set(seen), holds: true });
        const ids = await this.#create(em, steps);
        await this.#change(em, steps);
        await this.#changeGroups(em, steps, ids);
        await this.#unbind(em, steps);
        const upserted = steps.map((step) => toResult(step, ids));
        note(em, upserted);
        return upserted;
      },
      // If another transaction takes a serial number or a user meanwhile, the retry finds it taken.
      { retryOnDuplicateKey: true },
    );
    addSerials(seen, lines);
    return results;
  }

  /** Returns the results that `apply` would have now, without locks and without writing anything. */
  async preview(lines: readonly DeviceInputRow[], seen: Set<string>): Promise<DeviceUpsertOutcome[]> {
    const steps = await this.#plan(this.dataSource.manager, lines, { seen, holds: false });
    return steps.map((step) => toResult(step, new Map()));
  }

  async #plan(
    em: EntityManager,
    lines: readonly DeviceInputRow[],
    { seen, holds }: { seen: Set<string>; holds: boolean },
  ): Promise<PlannedDevice<ExistingDevice>[]> {
    const inputs = lines.flatMap((line) => ('told' in line ? [line.told] : []));
    const knownUsers = async (ids: number[]): Promise<ReadonlySet<number>> =>
      new Set((await this.users.findByIds(ids, em)).keys());
    return planDeviceUpserts(lines, await loadCurrentDevices(em, inputs, { holds, knownUsers }), seen);
  }

  async #create(em: EntityManager, steps: readonly PlannedDevice<ExistingDevice>[]): Promise<Ids> {
    const inputs = steps.flatMap((step) => (step.result === 'created' ? [step.told] : []));
    if (inputs.length === 0) return new Map();
    const now = this.clock.now();
    const ids = await insertAllotted(
      em,
      DeviceEntity,
      inputs.map((device) => newDevice(device, now)),
    );
    return new Map(inputs.map(({ serial_no }, index) => [serial_no, ids[index] as number]));
  }

  async #change(em: EntityManager, steps: readonly PlannedDevice<ExistingDevice>[]): Promise<void> {
    const rows = updatesIn(steps)
      .filter(({ device, told }) => !matchesFields(device, told))
      .map(({ device, told }) => {
        const { name = device.name, status = device.status, user_id = device.user_id } = told;
        return { id: device.id, name, name_search: foldCase(name), status, user_id };
      });
    await updateDevices(em, rows);
  }

  /** Changes memberships, and then records the domain events of all changes, so that they contain the new groups. */
  async #changeGroups(
    em: EntityManager,
    steps: readonly PlannedDevice<ExistingDevice>[],
    ids: Ids,
  ): Promise<void> {
    const joined: DeviceMembershipEntity[] = [];
    const left: DeviceMembershipEntity[] = [];
    const NONE: ReadonlySet<number> = new Set();
    for (const step of steps) {
      if (step.result !== 'created' && step.result !== 'updated') continue;
      const device_id = step.result === 'created' ? (ids.get(step.serialNo) as number) : step.device.id;
      const changes = groupChanges(step.result === 'created' ? NONE : step.device.groupIds, step.told);
      joined.push(...changes.joined.map((group_id) => ({ group_id, device_id })));
      left.push(...changes.left.map((group_id) => ({ group_id, device_id })));
    }
    await changeMemberships(em, { joined, left });
    await this.changes.record(em, 'device.created', [...ids.values()]);
    const changed = updatesIn(steps).filter(({ device, told }) => !matchesFields(device, told));
    await this.changes.record(
      em,
      'device.updated',
      changed.map(({ device }) => device.id),
    );
    if (joined.length + left.length > 0) await bumpMembershipVersion(em);
  }

  /** Takes devices offline whose user changes, because their online state was that of the former user. */
  async #unbind(em: EntityManager, steps: readonly PlannedDevice<ExistingDevice>[]): Promise<void> {
    const unbound = updatesIn(steps).filter(
      ({ device, told }) => device.online && told.user_id !== undefined && told.user_id !== device.user_id,
    );
    await this.changes.goOffline(
      em,
      unbound.map(({ device }) => device.id),
    );
  }
}

/** Audits the number of results of each kind, if any device was created or changed (contract 14.4). */
export function recordUpserts(em: EntityManager, done: readonly DeviceUpsertOutcome[]): void {
  const { created, updated, unchanged, failed } = countsOf(done);
  if (created + updated > 0)
    recordAudit(em, { object_id: null, before: null, after: { created, updated, unchanged, failed } });
}

const updatesIn = (steps: readonly PlannedDevice<ExistingDevice>[]) =>
  steps.flatMap((step) => (step.result === 'updated' ? [step] : []));

function addSerials(seen: Set<string>, lines: readonly DeviceInputRow[]): void {
  for (const { serialNo } of lines) if (serialNo !== null) seen.add(serialNo);
}

function toResult(step: PlannedDevice<ExistingDevice>, created: Ids): DeviceUpsertOutcome {
  const { serialNo, result } = step;
  if (result === 'created') return { serialNo, result, id: created.get(serialNo) ?? null };
  const id = step.device?.id ?? null;
  return step.result === 'error' ? { serialNo, result, id, refusal: step.refusal } : { serialNo, result, id };
}
