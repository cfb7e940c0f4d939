import type { Answer, ApiClient } from '../api-client';
import type { TestApp } from '../test-app';
import type { AuditRow } from './audit-rows';

/** What acts are done to, and by whom. */
export interface Stage {
  test: TestApp;
  admin: ApiClient;
  /** A text that no other one on this stage is. */
  unique: string;
}

/** What was made for an act. */
export type Given = Record<string, number>;

/** What an audited route does to what is given. */
export interface AuditedAct {
  /** As the contract's list has it. */
  action: string;
  given?: (stage: Stage) => Promise<Given>;
  act: (stage: Stage, given: Given) => Promise<Answer>;
  row: (given: Given, answer: Answer, stage: Stage) => Pick<AuditRow, 'object_id' | 'before' | 'after'>;
  /** What changes nothing, and is answered as a success all the same; left out where every success changes something. */
  nothing?: (stage: Stage, given: Given) => Promise<Answer>;
  refused: (stage: Stage, given: Given) => Promise<Answer>;
}

/** The data of an answer that must be a success. */
export function made({ status, text, body }: Answer): Record<string, never> & { id: number } {
  if (status !== 200) throw new Error(text);
  return body.data;
}

/** Every act, by its route. */
export type AuditedActs = Record<string, AuditedAct>;
