import { AsyncLocalStorage } from 'node:async_hooks';

/** The request on whose behalf code runs, with the properties that fairness between callers needs. */
export interface CurrentRequest {
  /** The request is not counted for its caller: an upload, or its client disconnected before it was handled. */
  isUncounted?: boolean;
  /** `callerKey` of the request; undefined until the guard has set it. */
  caller?: string;
  /** The caller's limit on requests per minute; undefined if there is none. */
  ratePerMinute?: number;
  /** Returns whether requests of other callers have arrived within the last five seconds. */
  hasOthers?: () => boolean;
}

/*
 * Stores a separate object instead of the request: resources opened in the context, such as a database connection, keep
 * a reference to it as long as they live, and would keep the request in memory.
 */
const storage = new AsyncLocalStorage<CurrentRequest | undefined>();

/** Runs `work` on behalf of a request, including all asynchronous work that it starts. */
export const runForRequest = <T>(request: CurrentRequest, work: () => T): T => storage.run(request, work);

/**
 * Runs work of several requests, or of none, without a current caller, so that it is not charged to the caller that
 * started it.
 */
export const runWithoutCaller = <T>(work: () => T): T => storage.run(undefined, work);

/** Returns the request on whose behalf the current code runs; undefined outside requests below /api. */
export const currentRequest = (): CurrentRequest | undefined => storage.getStore();

/** Returns the caller on whose behalf the current code runs; undefined outside requests. */
export const currentCaller = (): string | undefined => storage.getStore()?.caller;

/**
 * Whether heavy work may put a caller in debt, so that it has to wait. False for API keys, which work for many users,
 * and for a user who is the only active caller of this instance.
 */
export const mayOwe = (caller: string): boolean =>
  !caller.startsWith('key:') && storage.getStore()?.hasOthers?.() !== false;
