import { AsyncLocalStorage } from 'node:async_hooks';

/** The request on whose behalf the code at hand runs, as far as fairness between callers is concerned. */
export interface CurrentRequest {
  /** `callerKey` of the request; undefined until the guard knows it. */
  caller?: string;
  /** The caller's limit on requests a minute; undefined where there is none. */
  ratePerMinute?: number;
  /** Returns whether requests of other callers have come within the last five seconds. */
  hasOthers?: () => boolean;
}

/*
 * An object of its own and not the request itself: what is opened meanwhile, such as a connection to the database, keeps
 * the context in which it was opened for as long as it lives.
 */
const storage = new AsyncLocalStorage<CurrentRequest | undefined>();

/** Runs `work`, and everything that it starts, on behalf of a request. */
export const runForRequest = <T>(request: CurrentRequest, work: () => T): T => storage.run(request, work);

/** Runs work of several requests, or of none, so that it does not count as that of the caller who happened to begin it. */
export const runForNobody = <T>(work: () => T): T => storage.run(undefined, work);

/** The request on whose behalf the code at hand runs; undefined outside requests below /api. */
export const currentRequest = (): CurrentRequest | undefined => storage.getStore();

/** The caller on whose behalf the code at hand runs; undefined outside requests. */
export const currentCaller = (): string | undefined => storage.getStore()?.caller;

/**
 * Whether heavy work of a caller may make it wait. Not that of API keys, which work for many users, nor that of a user who has this
 * instance to itself.
 */
export const mayOwe = (caller: string): boolean =>
  !caller.startsWith('key:') && storage.getStore()?.hasOthers?.() !== false;
