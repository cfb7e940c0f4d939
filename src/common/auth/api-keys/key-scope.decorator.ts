import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiHeader, ApiSecurity } from '@nestjs/swagger';
import { ON_BEHALF_OF } from './api-key';
import type { Scope } from './scopes';

/** How a route is open to keys. */
interface KeyAccess {
  scope: Scope;
  /** Whether the key acts as the user whom `X-On-Behalf-Of` names. */
  onBehalf: boolean;
}

/** The metadata that the decorators below leave for the guard. */
export const OpenToKeys = Reflector.createDecorator<KeyAccess>();

/** Where an operation notes the scope until the document says it in words. */
export const KEY_SCOPE = 'x-key-scope';

/** What the document calls the two ways of saying who asks. */
export const TOKEN_SECURITY = 'bearer';
export const KEY_SECURITY = 'key';

const open = (access: KeyAccess): MethodDecorator =>
  applyDecorators(
    OpenToKeys(access),
    ApiSecurity(TOKEN_SECURITY),
    ApiSecurity(KEY_SECURITY),
    ApiExtension(KEY_SCOPE, access.scope),
  );

/** `@KeyScope('users:read')`: a key with this scope may use the route. No key may use a route without (contract 13). */
export const KeyScope = (scope: Scope): MethodDecorator => open({ scope, onBehalf: false });

/** `@KeyOnBehalf('messages:send-as')`: a key with this scope may use the route as the user it names, with that user's rights. */
export const KeyOnBehalf = (scope: Scope): MethodDecorator =>
  applyDecorators(
    open({ scope, onBehalf: true }),
    ApiHeader({
      name: ON_BEHALF_OF,
      required: false,
      description:
        'With a key, the user who acts: an id, or `ext:` and a percent-encoded external id; with a token it is ignored',
      example: '2',
    }),
  );
