import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { inTime } from '../concurrency/in-time';
import { inALine, type Outcome, type RunRecord } from './run-record';

/** Longer than a probe waits. */
const ANSWER_WITHIN_MS = 2_000;

/** `off`: it is not used, by the configuration or because there is nothing for it to do. */
export type HealthStatus = 'up' | 'down' | 'off';

/** How a part of the service stands. */
export interface HealthReport extends Outcome {
  status: HealthStatus;
}

export const OFF: HealthReport = { status: 'off', lastSuccessAt: null, lastErrorAt: null, lastError: null };

/** What administrators are told of the parts of the service. Each module registers what it knows, beside the part (contract 14.5). */
@Injectable()
export class Health {
  readonly #parts = new Map<string, () => Promise<HealthReport>>();

  constructor(private readonly clock: Clock) {}

  /**
   * @param ask tells how the part stands; where it throws, or takes longer than 2 s, the part is down
   * @throws {Error} when there is a part of this name
   */
  register(name: string, ask: () => Promise<HealthReport>): void {
    if (this.#parts.has(name)) throw new Error(`There are two parts called ${name}`);
    this.#parts.set(name, ask);
  }

  /** How each part stands, by name. */
  async reports(): Promise<Map<string, HealthReport>> {
    const reports = Array.from(this.#parts, async ([name, ask]) => [name, await this.#report(ask)] as const);
    return new Map(await Promise.all(reports));
  }

  async #report(ask: () => Promise<HealthReport>): Promise<HealthReport> {
    try {
      return await inTime(ask(), ANSWER_WITHIN_MS);
    } catch (error) {
      return { ...OFF, status: 'down', lastErrorAt: this.clock.now(), lastError: inALine(error) };
    }
  }
}

/** The report of something that has just been tried, by what is remembered of it. */
export async function reportAfter(tried: Promise<unknown>, record: RunRecord): Promise<HealthReport> {
  await tried.catch(() => undefined);
  return { status: record.isFailing ? 'down' : 'up', ...record.outcome };
}
