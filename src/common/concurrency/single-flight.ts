import { runForNobody } from './current-caller';

/** Runs a job, never twice at the same time. */
export class SingleFlight {
  #running?: Promise<void>;
  #again = false;

  /** @param failed hears of a run that threw; the next one comes all the same */
  constructor(
    private readonly job: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Runs the job; should it be under way, once more afterwards, since it may have passed over what is new. */
  run(): void {
    if (this.#running) this.#again = true;
    else this.#start();
  }

  /** Runs the job unless it is under way. */
  runIfIdle(): void {
    if (!this.#running) this.#start();
  }

  /** Resolves when the job is no longer under way, and will not be by itself. */
  async stop(): Promise<void> {
    this.#again = false;
    await this.#running;
  }

  #start(): void {
    this.#running = runForNobody(this.job)
      .catch(this.failed)
      .finally(() => {
        this.#running = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.#start();
      });
  }
}
