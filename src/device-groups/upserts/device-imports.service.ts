import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { inChunks } from '../../common/concurrency/chunks';
import { invalidField } from '../../common/errors/business-error';
import type { Line, Upserted } from '../rules/device-upsert-plan';
import { type FileLine, linesOf } from './device-file';
import { DeviceUpsertsService } from './device-upserts.service';
import { readTold } from './told-devices';

/** Lines of one transaction: it is over soon, and holds a few devices. */
const LINES_TOGETHER = 200;

/** A line of a file, and what was done about it. */
export type Imported = Upserted & { line: number };

/** Devices from files (contract 14.4). */
@Injectable()
export class DeviceImportsService {
  constructor(private readonly upserts: DeviceUpsertsService) {}

  /**
   * Makes or changes the devices of a file, some lines after the others, each some in a transaction of their own: whoever
   * sends a file again after an interruption finds what was done `unchanged`.
   * @param isDryRun nothing is written, and the report says what would be
   * @returns what was done about each line, in their order
   * @throws {BusinessError} VALIDATION `file …` for what is wrong with the whole file; then nothing is done
   */
  async import(file: Buffer, isDryRun: boolean): Promise<Imported[]> {
    const imported: Imported[] = [];
    const seen = new Set<string>();
    for (const some of inChunks(await linesOf(file), LINES_TOGETHER)) {
      const lines: Line[] = [];
      for (const line of some) lines.push(await readLine(line));
      const done = isDryRun
        ? await this.upserts.preview(lines, seen)
        : await this.upserts.apply(lines, { seen, note: () => undefined });
      for (const [index, one] of done.entries()) imported.push({ ...one, line: some[index]?.line ?? 0 });
      // SQLite answers within the turn that asks.
      await nextTurn();
    }
    return imported;
  }
}

/** Empty cells are left out. */
async function readLine({ cells }: FileLine): Promise<Line> {
  if (cells === undefined) return { serialNo: null, refusal: invalidField('line', '取值无效') };
  const { serial_no, name, status, group_ids } = cells;
  return readTold({
    serial_no,
    name: name || undefined,
    status: status && asNumber(status),
    group_ids: group_ids ? group_ids.split('|').map(asNumber) : undefined,
  });
}

/** What is no number is refused as what it is. */
const asNumber = (cell: string): number | string => (/^\s*\d+\s*$/.test(cell) ? Number(cell) : cell);
