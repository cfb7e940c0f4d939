import type { OpenAPIObject } from '@nestjs/swagger';
import { KEY_SCOPE } from '../common/auth/api-keys/key-scope.decorator';
import { operationsOf } from './document-types';

/**
 * Says of each operation that is open to keys which scope it needs. OpenAPI 3.0 has a place for scopes in OAuth alone, so
 * it is said in words.
 */
export function describeKeys(document: OpenAPIObject): OpenAPIObject {
  for (const [, operation] of operationsOf(document)) {
    const notes = operation as { [KEY_SCOPE]?: string };
    const scope = notes[KEY_SCOPE];
    delete notes[KEY_SCOPE];
    if (scope !== undefined) operation.description = `With a key: scope \`${scope}\`.`;
  }
  return document;
}
