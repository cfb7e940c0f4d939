import type { ApiResponse, ApiClient } from '../api-client';
import type { TestApp } from '../test-app';
import type { AuditRow } from './audit-rows';

/** The application and administrator with which actions are tested. */
export interface AuditFixture {
  test: TestApp;
  admin: ApiClient;
  /** A text that is unique on this stage. */
  unique: string;
}

/** Ids of the objects that were created for an action. */
export type CreatedIds = Record<string, number>;

/** An audited route with requests that succeed, change nothing, or fail. */
export interface AuditedAction {
  /** The action's name in docs/administration.md. */
  action: string;
  setUp?: (stage: AuditFixture) => Promise<CreatedIds>;
  request: (stage: AuditFixture, setUp: CreatedIds) => Promise<ApiResponse>;
  row: (
    setUp: CreatedIds,
    response: ApiResponse,
    stage: AuditFixture,
  ) => Pick<AuditRow, 'object_id' | 'before' | 'after'>;
  /** A successful request that changes nothing. Undefined if every success changes something. */
  unchanged?: (stage: AuditFixture, setUp: CreatedIds) => Promise<ApiResponse>;
  rejected: (stage: AuditFixture, setUp: CreatedIds) => Promise<ApiResponse>;
}

/** Returns the data of a response and asserts success. */
export function requireData({ status, text, body }: ApiResponse): Record<string, never> & { id: number } {
  if (status !== 200) throw new Error(text);
  return body.data;
}

/** Audited actions by route. */
export type AuditedActions = Record<string, AuditedAction>;
