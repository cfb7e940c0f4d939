import { setTimeout as pause } from 'node:timers/promises';
import { SingleFlight } from './single-flight';

/** Minimum pause after a run. */
const MIN_PAUSE_MS = 50;
/** Maximum pause after a run, and the pause after a failed one. */
const MAX_PAUSE_MS = 1_000;
/** Length of the pause, relative to the run: under load more work shares the next run. */
const PAUSE_TO_WORK_RATIO = 10;

/** Runs work on request, never twice at the same time: the first time immediately, then with a pause after each run. */
export class PacedRuns extends SingleFlight {
  readonly #stopping: AbortController;

  /**
   * @param work runs once; a long run should end early when the signal is aborted
   * @param onFailure receives the error of a failed run
   */
  constructor(work: (stopping: AbortSignal) => Promise<void>, onFailure: (error: unknown) => void) {
    const stopping = new AbortController();
    const runAndPause = async (): Promise<void> => {
      const startedAt = performance.now();
      const pauseMs = await work(stopping.signal).then(
        () => Math.max(MIN_PAUSE_MS, (performance.now() - startedAt) * PAUSE_TO_WORK_RATIO),
        (error: unknown) => {
          onFailure(error);
          return MAX_PAUSE_MS;
        },
      );
      await pause(Math.min(pauseMs, MAX_PAUSE_MS), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    };
    super(runAndPause, onFailure);
    this.#stopping = stopping;
  }

  /** Ends the pause. Resolves when the current run has ended. */
  override async stop(): Promise<void> {
    this.#stopping.abort();
    await super.stop();
  }
}
