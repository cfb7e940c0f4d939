import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordAudit } from '../../audit/recording/record-audit';
import {
  countUpserts,
  type InputRow,
  toUpsertOutcome,
  type UpsertOutcome,
} from '../../common/bulk/upsert-planner';
import { Clock } from '../../common/clock';
import { foldCase } from '../../common/fold-case';
import { Transactions } from '../../database/transactions';
import { UsersService } from '../../identity/users.service';
import { parseDeviceRow } from '../dto/device-upserts.dto';
import type { DeviceMembershipEntity } from '../entities/device-membership.entity';
import { DeviceChanges } from '../events/device-changes';
import { ENABLED } from '../limits';
import { insertDevices } from '../store/devices.store';
import { bumpMembershipVersion } from '../store/memberships.store';
import {
  addBindings,
  type CurrentDevices,
  groupChanges,
  holdersAfter,
  matchesFields,
  type DeviceInput,
  planDeviceUpserts,
  type PlannedDevice,
} from '../rules/device-upsert-plan.rules';
import { newDevice } from '../rules/new-device.rules';
import { changeMemberships, loadCurrentDevices, updateDevices } from './device-upserts.store';

/** Ids of created devices by serial number. */
type Ids = ReadonlyMap<string, number>;

/** Earlier parts of an input that is only previewed. */
interface Previewed {
  /** Their serial numbers. */
  seen: Set<string>;
  /** User id → whether they bind the user to a device. */
  bound: Map<number, boolean>;
}

/** Creates and changes devices, identified by serial number (API 12.5). */
@Injectable()
export class DeviceUpsertsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly users: UsersService,
    private readonly changes: DeviceChanges,
  ) {}

  /**
   * Creates or changes the devices of a request, at most 500, which are not validated yet.
   * @returns the result for each device, in order
   */
  async upsert(sent: readonly unknown[]): Promise<UpsertOutcome[]> {
    const rows = await Promise.all(sent.map(parseDeviceRow));
    return this.apply(rows, { seen: new Set(), note: recordUpserts });
  }

  /**
   * Creates or changes devices in one transaction. A device with an error does not affect the others; its result
   * contains the error.
   * @param seen serial numbers of earlier parts of the input; those of `rows` are added
   * @param note receives the results, in the transaction that writes them
   * @returns the result for each row, in order
   */
  async apply(
    rows: readonly InputRow<DeviceInput>[],
    { seen, note }: { seen: Set<string>; note: (em: EntityManager, done: readonly UpsertOutcome[]) => void },
  ): Promise<UpsertOutcome[]> {
    const results = await this.transactions.run(
      async (em) => {
        const steps = planDeviceUpserts(rows, await this.#current(em, rows, { holds: true }), new Set(seen));
        const ids = await this.#create(em, steps);
        await this.#change(em, steps);
        await this.#changeGroups(em, steps, ids);
        await this.#unbind(em, steps);
        const upserted = steps.map((step) => toUpsertOutcome(step, ids));
        note(em, upserted);
        return upserted;
      },
      // If another transaction takes a serial number or a user meanwhile, the retry finds it taken.
      { retryOnDuplicateKey: true },
    );
    for (const { key } of rows) if (key !== null) seen.add(key);
    return results;
  }

  /**
   * Returns the results that `apply` would have now, without locks and without writing anything.
   * @param earlier the earlier parts of the input; is changed
   */
  async preview(rows: readonly InputRow<DeviceInput>[], earlier: Previewed): Promise<UpsertOutcome[]> {
    const current = await this.#current(this.transactions.read(), rows, { holds: false });
    const holders = holdersAfter(current.holders, earlier.bound);
    const steps = planDeviceUpserts(rows, { ...current, holders }, earlier.seen);
    addBindings(earlier.bound, steps);
    return steps.map((step) => toUpsertOutcome(step, new Map()));
  }

  async #current(
    em: EntityManager,
    rows: readonly InputRow<DeviceInput>[],
    { holds }: { holds: boolean },
  ): Promise<CurrentDevices> {
    const inputs = rows.flatMap((row) => ('input' in row ? [row.input] : []));
    const userIds = [...new Set(inputs.flatMap(({ user_id }) => user_id ?? []))];
    const current = await loadCurrentDevices(em, inputs, userIds, { holds });
    return { ...current, users: new Set((await this.users.findByIds(userIds, em)).keys()) };
  }

  async #create(em: EntityManager, steps: readonly PlannedDevice[]): Promise<Ids> {
    const inputs = steps.flatMap((step) => (step.result === 'created' ? [step.input] : []));
    if (inputs.length === 0) return new Map();
    const now = this.clock.now();
    const ids = await insertDevices(
      em,
      inputs.map(({ name = '', status = ENABLED, ...input }) => newDevice({ ...input, name, status }, now)),
    );
    return new Map(inputs.map(({ serial_no }, index) => [serial_no, ids[index] as number]));
  }

  async #change(em: EntityManager, steps: readonly PlannedDevice[]): Promise<void> {
    const rows = updatesIn(steps)
      .filter(({ existing, input }) => !matchesFields(existing, input))
      .map(({ existing, input }) => {
        const { name = existing.name, status = existing.status, user_id = existing.user_id } = input;
        return { id: existing.id, name, name_search: foldCase(name), status, user_id };
      });
    await updateDevices(em, rows);
  }

  /** Changes memberships, and then records the domain events of all changes, so that they contain the new groups. */
  async #changeGroups(em: EntityManager, steps: readonly PlannedDevice[], ids: Ids): Promise<void> {
    const joined: DeviceMembershipEntity[] = [];
    const left: DeviceMembershipEntity[] = [];
    const NONE: ReadonlySet<number> = new Set();
    for (const step of steps) {
      if (step.result !== 'created' && step.result !== 'updated') continue;
      const device_id = step.result === 'created' ? (ids.get(step.key) as number) : step.existing.id;
      const changes = groupChanges(step.result === 'created' ? NONE : step.existing.groupIds, step.input);
      joined.push(...changes.joined.map((group_id) => ({ group_id, device_id })));
      left.push(...changes.left.map((group_id) => ({ group_id, device_id })));
    }
    await changeMemberships(em, { joined, left });
    await this.changes.record(em, 'device.created', [...ids.values()]);
    const changed = updatesIn(steps).filter(({ existing, input }) => !matchesFields(existing, input));
    await this.changes.record(
      em,
      'device.updated',
      changed.map(({ existing }) => existing.id),
    );
    if (joined.length + left.length > 0) await bumpMembershipVersion(em);
  }

  /** Takes devices offline whose user changes, because their online state was that of the former user. */
  async #unbind(em: EntityManager, steps: readonly PlannedDevice[]): Promise<void> {
    const unbound = updatesIn(steps).filter(
      ({ existing, input }) =>
        existing.online && input.user_id !== undefined && input.user_id !== existing.user_id,
    );
    await this.changes.goOffline(
      em,
      unbound.map(({ existing }) => existing.id),
    );
  }
}

/** Audits the number of results of each kind, if any device was created or changed (API 12.5). */
export function recordUpserts(em: EntityManager, done: readonly UpsertOutcome[]): void {
  const { created, updated, unchanged, failed } = countUpserts(done);
  if (created + updated > 0)
    recordAudit(em, { object_id: null, before: null, after: { created, updated, unchanged, failed } });
}

const updatesIn = (steps: readonly PlannedDevice[]) =>
  steps.flatMap((step) => (step.result === 'updated' ? [step] : []));
