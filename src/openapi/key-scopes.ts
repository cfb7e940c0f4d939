import type { OpenAPIObject } from '@nestjs/swagger';
import { KEY_SCOPE } from '../common/auth/api-keys/key-scope.decorator';
import { operationsOf, takeExtension } from './document-types';

/**
 * Adds the required scope to the description of each operation that accepts API keys. OpenAPI 3.0 has a field for
 * scopes only with OAuth.
 */
export function describeKeys(document: OpenAPIObject): OpenAPIObject {
  for (const [, operation] of operationsOf(document)) {
    const scope = takeExtension(operation, KEY_SCOPE) as string | undefined;
    if (scope !== undefined) operation.description = `With a key: scope \`${scope}\`.`;
  }
  return document;
}
