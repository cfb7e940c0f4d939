import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { ON_BEHALF_OF } from './api-key';
import type { Scope } from './scopes';

/** Which keys may use a route, and as whom. */
interface KeyAccess {
  scope: Scope;
  /** Whether the key acts as the user in `X-On-Behalf-Of`. */
  onBehalf: boolean;
}

/** Metadata that the decorators below set for `KeyGuard`. */
export const OpenToKeys = Reflector.createDecorator<KeyAccess>();

/** OpenAPI extension that holds the scope of an operation until the document is completed with a description of it. */
export const KEY_SCOPE = 'x-key-scope';

/** Names of the two security schemes in the OpenAPI document. */
export const TOKEN_SECURITY = 'bearer';
export const KEY_SECURITY = 'key';

const allowKeys = (access: KeyAccess): MethodDecorator =>
  applyDecorators(
    OpenToKeys(access),
    ApiSecurity(TOKEN_SECURITY),
    ApiSecurity(KEY_SECURITY),
    ApiExtension(KEY_SCOPE, access.scope),
  );

/**
 * `@KeyScope('users:read')`: keys with this scope may use the route. Routes without a scope are closed to keys
 * (API 4.2).
 */
export const KeyScope = (scope: Scope): MethodDecorator => allowKeys({ scope, onBehalf: false });

/**
 * `@KeyOnBehalf('messages:send-as')`: keys with this scope may use the route as the user in `X-On-Behalf-Of`, with that
 * user's rights.
 */
export const KeyOnBehalf = (scope: Scope): MethodDecorator =>
  applyDecorators(
    allowKeys({ scope, onBehalf: true }),
    ApiHeader({
      name: ON_BEHALF_OF,
      required: false,
      description:
        'With a key, the user who acts: an id, or `ext:` and a percent-encoded external id; with a token it is ignored',
      example: '2',
    }),
  );
