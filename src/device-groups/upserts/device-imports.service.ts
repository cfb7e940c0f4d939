import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { invalidField } from '../../common/errors/business-error';
import { INVALID } from '../../common/input/fields';
import { Transactions } from '../../database/transactions';
import type { Line, Upserted } from '../rules/device-upsert-plan';
import { GroupNames } from '../rules/group-names';
import { type FileLine, linesOf } from './device-file';
import { allGroupNames } from './device-upserts.queries';
import { DeviceUpsertsService, noteDone } from './device-upserts.service';
import { readTold } from './told-devices';

/** Lines of one transaction, and characters of the groups that they name: it is over soon, and holds a few devices. */
const LINES_TOGETHER = 200;
const GROUPS_TOGETHER = 16_384;

/** A line of a file, and what was done about it. */
export type Imported = Upserted & { line: number };

interface HowToImport {
  isDryRun: boolean;
  groupId?: number;
}

/** Devices from files (contract 14.4). */
@Injectable()
export class DeviceImportsService {
  readonly #log = new Logger(DeviceImportsService.name);

  constructor(
    private readonly upserts: DeviceUpsertsService,
    private readonly transactions: Transactions,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Makes or changes the devices of a file, some lines after the others, each some in a transaction of their own: whoever
   * sends a file again after an interruption finds what was done `unchanged`.
   * @param isDryRun nothing is written, and the report says what would be
   * @param groupId the group that each line's device is put into, beside those that the line names or the device is in
   * @returns what was done about each line, in their order
   * @throws {BusinessError} VALIDATION `file …` for what is wrong with the whole file; then nothing is done
   */
  async import(file: Buffer, { isDryRun, groupId }: HowToImport): Promise<Imported[]> {
    const imported: Imported[] = [];
    const lines = await linesOf(file);
    const groups = lines.some(namesGroups) ? await this.#groupNames() : NO_GROUPS;
    const seen = new Set<string>();
    try {
      for (const some of partsOf(lines)) {
        const parsed = await readLines(some, { groups, groupId });
        const isLast = imported.length + some.length === lines.length;
        const done = isDryRun
          ? await this.upserts.preview(parsed, seen)
          : await this.upserts.apply(parsed, {
              seen,
              note: (em, rest) => {
                if (isLast) noteDone(em, [...imported, ...rest]);
              },
            });
        for (const [index, one] of done.entries()) imported.push({ ...one, line: some[index]?.line ?? 0 });
        // SQLite answers within the turn that asks.
        await nextTurn();
      }
    } catch (error) {
      if (!isDryRun) await this.#noteUnfinished(imported);
      throw error;
    }
    return imported;
  }

  async #groupNames(): Promise<GroupNames> {
    return new GroupNames(await allGroupNames(this.dataSource.manager));
  }

  /** What has been done before the rest could not be. */
  async #noteUnfinished(imported: readonly Imported[]): Promise<void> {
    try {
      await this.transactions.run(async (em) => noteDone(em, imported));
    } catch (error) {
      this.#log.warn(`An unfinished import is not in the audit log: ${String(error)}`);
    }
  }
}

/** Lines that are done together. */
function* partsOf(lines: readonly FileLine[]): Generator<FileLine[]> {
  let part: FileLine[] = [];
  let groups = 0;
  for (const line of lines) {
    const { group_ids = '', group_path = '' } = line.cells ?? {};
    const length = group_ids.length + group_path.length;
    if (part.length === LINES_TOGETHER || (part.length > 0 && groups + length > GROUPS_TOGETHER)) {
      yield part;
      [part, groups] = [[], 0];
    }
    part.push(line);
    groups += length;
  }
  if (part.length > 0) yield part;
}

/** True if the line names its groups by path. Ids have precedence. */
const namesGroups = ({ cells }: FileLine): boolean =>
  (cells?.group_ids ?? '') === '' && (cells?.group_path ?? '') !== '';

const NO_GROUPS = new GroupNames([]);

async function readLines(
  lines: readonly FileLine[],
  { groups, groupId }: { groups: GroupNames; groupId?: number },
): Promise<Line[]> {
  const parsed: Line[] = [];
  for (const line of lines) parsed.push(joining(await readLine(line, groups), groupId));
  return parsed;
}

const joining = (line: Line, groupId?: number): Line =>
  'told' in line ? { ...line, told: { ...line.told, joined_group_id: groupId } } : line;

/** Empty cells are left out. */
async function readLine(line: FileLine, groups: GroupNames): Promise<Line> {
  const { cells } = line;
  if (cells === undefined) return { serialNo: null, refusal: invalidField('line', INVALID) };
  const { serial_no, name, status, group_ids = '', group_path = '', user_id } = cells;
  const named = namesGroups(line) ? groups.find(group_path) : [];
  const parsed = await readTold({
    serial_no,
    name: name || undefined,
    status: status && asNumber(status),
    group_ids: group_ids === '' ? named : group_ids.split('|').map(asNumber),
    user_id: user_id ? asNumber(user_id) : undefined,
  });
  if (named === undefined && 'told' in parsed)
    return { serialNo: parsed.serialNo, refusal: invalidField('group_path', INVALID) };
  return parsed;
}

/** What is no number is refused as what it is. */
const asNumber = (cell: string): number | string => (/^\s*\d+\s*$/.test(cell) ? Number(cell) : cell);
