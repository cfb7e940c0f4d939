import { runWithoutCaller } from './current-caller';

/** Runs a job on request, never twice at the same time. */
export class SingleFlight {
  #running?: Promise<void>;
  #again = false;

  /** @param onFailure receives the error of a failed run; later runs are made in any case */
  constructor(
    private readonly job: () => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Runs the job. If it is running, runs it once more afterwards, because the current run may have missed new work. */
  run(): void {
    if (this.#running) this.#again = true;
    else this.#start();
  }

  /** Runs the job unless it is running. */
  runIfIdle(): void {
    if (!this.#running) this.#start();
  }

  /** Cancels the repeated run. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#again = false;
    await this.#running;
  }

  #start(): void {
    this.#running = runWithoutCaller(this.job)
      .catch(this.onFailure)
      .finally(() => {
        this.#running = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.#start();
      });
  }
}
