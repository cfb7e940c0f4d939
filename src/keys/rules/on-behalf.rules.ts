import { ON_BEHALF_OF } from '../../common/auth/api-keys/api-key';
import { MAX_EXTERNAL_ID } from '../../common/auth/token-claims';
import { invalidField } from '../../common/errors/business-error';
import type { UserId } from '../../common/ids';

/** A user named by a backend: by local id, or by external id. */
export type NamedUser = { id: UserId } | { externalId: string };

const LOCAL_ID = /^[1-9]\d{0,15}$/;
/** Headers are ASCII; other characters are percent-encoded. */
const EXTERNAL_ID = /^ext:([\x20-\x7e]+)$/;

/**
 * Parses `X-On-Behalf-Of` (API 4.4).
 * @throws {BusinessError} VALIDATION if it is missing, or neither an id (`17`) nor `ext:` with an external id
 */
export function readOnBehalf(header: unknown): NamedUser {
  const text = typeof header === 'string' ? header.trim() : '';
  if (text === '') throw invalidField(ON_BEHALF_OF, 'required');
  if (LOCAL_ID.test(text) && Number.isSafeInteger(Number(text))) return { id: Number(text) as UserId };
  const externalId = decoded(EXTERNAL_ID.exec(text)?.[1]);
  if (externalId === undefined) throw invalidField(ON_BEHALF_OF, 'invalid');
  return { externalId };
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const externalId = decodeURIComponent(text);
    return externalId.includes('\0') || Array.from(externalId).length > MAX_EXTERNAL_ID
      ? undefined
      : externalId;
  } catch {
    return undefined;
  }
}
