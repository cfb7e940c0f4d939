import { Reflector } from '@nestjs/core';
import type { JobMethod, JobSchedule } from './periodic-job';

/** Metadata that `@Periodic` sets for `JobExplorer`. */
export const PeriodicSchedule = Reflector.createDecorator<JobSchedule>();

/**
 * `@Periodic({ name, everyMs, onFailure })`: `JobExplorer` runs the method of the provider as a `PeriodicJob`, from the
 * start of the application until its shutdown.
 */
export const Periodic =
  (schedule: JobSchedule) =>
  <Method extends JobMethod>(target: object, key: string, method: TypedPropertyDescriptor<Method>): void =>
    void PeriodicSchedule(schedule)(target, key, method);
