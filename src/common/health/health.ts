import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import { withTimeout } from '../concurrency/with-timeout';
import { inALine, type RunOutcome, type RunRecord } from './run-record';

/** Time limit of a check; longer than the time-outs of the probes themselves. */
const CHECK_TIMEOUT_MS = 2_000;

/** `off`: not in use, because of the configuration or because it has nothing to do. */
export type HealthStatus = 'up' | 'down' | 'off';

/** State of a component of the service. */
export interface HealthReport extends RunOutcome {
  status: HealthStatus;
}

export const OFF: HealthReport = { status: 'off', lastSuccessAt: null, lastErrorAt: null, lastError: null };

/** Health of the components, for administrators (API 15.4). Each module registers its own components. */
@Injectable()
export class Health {
  readonly #checks = new Map<string, () => Promise<HealthReport>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Registers a component.
   * @param check returns the state; if it throws or takes longer than 2 s, the component is `down`
   * @throws {Error} if the name is registered already
   */
  register(name: string, check: () => Promise<HealthReport>): void {
    if (this.#checks.has(name)) throw new Error(`Health component is registered twice: ${name}`);
    this.#checks.set(name, check);
  }

  /** Returns the state of each component, by name. */
  async reports(): Promise<Map<string, HealthReport>> {
    const reports = Array.from(
      this.#checks,
      async ([name, check]) => [name, await this.#report(check)] as const,
    );
    return new Map(await Promise.all(reports));
  }

  async #report(check: () => Promise<HealthReport>): Promise<HealthReport> {
    try {
      return await withTimeout(check(), CHECK_TIMEOUT_MS);
    } catch (error) {
      return { ...OFF, status: 'down', lastErrorAt: this.clock.now(), lastError: inALine(error) };
    }
  }
}

/** Waits for an attempt, whose outcome `record` stores, and returns the resulting state. */
export async function reportAfter(attempt: Promise<unknown>, record: RunRecord): Promise<HealthReport> {
  await attempt.catch(() => undefined);
  return { status: record.isFailing ? 'down' : 'up', ...record.outcome };
}
