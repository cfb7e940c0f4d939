import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { InputRow, UpsertOutcome } from '../../common/bulk/upsert-planner';
import { invalidField } from '../../common/errors/business-error';
import { INVALID } from '../../common/input/fields';
import { Transactions } from '../../database/transactions';
import { parseDeviceRow } from '../dto/device-upserts.dto';
import type { DeviceInput } from '../rules/device-upsert-plan.rules';
import { GroupNames } from '../rules/group-names.rules';
import { type FileLine, readFileRows } from './device-file';
import { allGroupNames } from './device-upserts.store';
import { DeviceUpsertsService, recordUpserts } from './device-upserts.service';

/** Maximum number of lines of a transaction, which keeps it short and limits the number of locked devices. */
const BATCH_SIZE = 200;
/** Maximum number of characters in the group columns of a batch. */
const MAX_GROUP_LENGTH = 16_384;

/** Number of a line of a file, and the result for it. */
export type Imported = UpsertOutcome & { line: number };

interface ImportOptions {
  isDryRun: boolean;
  groupId?: number;
}

/** Imports devices from files (API 12.6). */
@Injectable()
export class DeviceImportsService {
  readonly #log = new Logger(DeviceImportsService.name);

  constructor(
    private readonly upserts: DeviceUpsertsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates or changes the devices of a file, in batches with one transaction each. After an interruption the same file
   * can be imported again; the devices that were done are then `unchanged`.
   * @param isDryRun writes nothing and returns the results that an import would have
   * @param groupId a group that every device is added to, besides the groups of its line, or else its current groups
   * @returns the result for each line, in order
   * @throws {BusinessError} VALIDATION `file …` if the file as a whole is invalid; nothing is written then
   */
  async import(file: Buffer, { isDryRun, groupId }: ImportOptions): Promise<Imported[]> {
    const imported: Imported[] = [];
    const lines = await readFileRows(file);
    const named = lines.some(namesGroups) ? await allGroupNames(this.transactions.read()) : [];
    const groups = new GroupNames(named);
    const seen = new Set<string>();
    const bound = new Map<number, boolean>();
    try {
      for (const batch of batchesOf(lines)) {
        const parsed = await Promise.all(batch.map((line) => readLine(line, { groups, groupId })));
        const isLast = imported.length + batch.length === lines.length;
        const upserted = isDryRun
          ? await this.upserts.preview(parsed, { seen, bound })
          : await this.upserts.apply(parsed, {
              seen,
              note: (em, results) => {
                if (isLast) recordUpserts(em, [...imported, ...results]);
              },
            });
        for (const [index, result] of upserted.entries())
          imported.push({ ...result, line: batch[index]?.line ?? 0 });
        // SQLite runs queries synchronously: without a pause the loop would block the event loop.
        await nextTurn();
      }
    } catch (error) {
      if (!isDryRun) await this.#auditUnfinished(imported);
      throw error;
    }
    return imported;
  }

  /** Audits the batches that were committed before the import failed. */
  async #auditUnfinished(imported: readonly Imported[]): Promise<void> {
    try {
      await this.transactions.run(async (em) => recordUpserts(em, imported));
    } catch (error) {
      this.#log.warn(
        `Failed to audit an unfinished device import; its changes are missing in the audit log: ${String(error)}`,
      );
    }
  }
}

/** Yields the lines in batches of one transaction each. */
function* batchesOf(lines: readonly FileLine[]): Generator<FileLine[]> {
  let batch: FileLine[] = [];
  let groupLength = 0;
  for (const line of lines) {
    const { group_ids = '', group_path = '' } = line.cells ?? {};
    const length = group_ids.length + group_path.length;
    if (batch.length === BATCH_SIZE || (batch.length > 0 && groupLength + length > MAX_GROUP_LENGTH)) {
      yield batch;
      [batch, groupLength] = [[], 0];
    }
    batch.push(line);
    groupLength += length;
  }
  if (batch.length > 0) yield batch;
}

/** Whether a line names its groups by path. Ids have precedence. */
const namesGroups = ({ cells }: FileLine): boolean =>
  (cells?.group_ids ?? '') === '' && (cells?.group_path ?? '') !== '';

/** Validates a line like a device of a request, and adds it to the group of the import. Empty cells count as left out. */
async function readLine(
  line: FileLine,
  { groups, groupId }: { groups: GroupNames; groupId?: number },
): Promise<InputRow<DeviceInput>> {
  const { cells } = line;
  if (cells === undefined) return { key: null, error: invalidField('line', INVALID) };
  const { serial_no, name, status, group_ids = '', group_path = '', user_id } = cells;
  const named = namesGroups(line) ? groups.find(group_path) : [];
  const parsed: InputRow<DeviceInput> = await parseDeviceRow({
    serial_no,
    name: name || undefined,
    status: status && asNumber(status),
    group_ids: group_ids === '' ? named : group_ids.split('|').map(asNumber),
    user_id: user_id ? asNumber(user_id) : undefined,
  });
  if (!('input' in parsed)) return parsed;
  if (named === undefined) return { key: parsed.key, error: invalidField('group_path', INVALID) };
  return { ...parsed, input: { ...parsed.input, joined_group_id: groupId } };
}

/** Converts a number; other texts are kept, so that the validation rejects them. */
const asNumber = (cell: string): number | string => (/^\s*\d+\s*$/.test(cell) ? Number(cell) : cell);
