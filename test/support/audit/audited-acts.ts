import type { Answer, ApiClient } from '../api-client';
import type { TestApp } from '../test-app';
import type { AuditRow } from './audit-rows';

/** The application and administrator with which actions are tested. */
export interface Stage {
  test: TestApp;
  admin: ApiClient;
  /** A text that is unique on this stage. */
  unique: string;
}

/** Ids of the objects that were created for an action. */
export type Given = Record<string, number>;

/** An audited route with requests that succeed, change nothing, or fail. */
export interface AuditedAct {
  /** The action's name in docs/administration.md. */
  action: string;
  given?: (stage: Stage) => Promise<Given>;
  act: (stage: Stage, given: Given) => Promise<Answer>;
  row: (given: Given, answer: Answer, stage: Stage) => Pick<AuditRow, 'object_id' | 'before' | 'after'>;
  /** A successful request that changes nothing. Undefined if every success changes something. */
  nothing?: (stage: Stage, given: Given) => Promise<Answer>;
  refused: (stage: Stage, given: Given) => Promise<Answer>;
}

/** Returns the data of a response and asserts success. */
export function made({ status, text, body }: Answer): Record<string, never> & { id: number } {
  if (status !== 200) throw new Error(text);
  return body.data;
}

/** Audited actions by route. */
export type AuditedActs = Record<string, AuditedAct>;
