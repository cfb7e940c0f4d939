import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BusinessError } from '../../errors/business-error';
import type { CallerRequest } from '../caller';
import { type ApiKey, ApiKeyAuthenticator, ON_BEHALF_OF } from './api-key';
import { OpenToKeys } from './key-scope.decorator';
import { opens } from './scopes';

/**
 * Global: a key may use only the routes that declare one of its scopes (API 4.2). Routes without a declared scope
 * are closed to keys by default.
 */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyAuthenticator,
  ) {}

  /** @throws {BusinessError} FORBIDDEN; on behalf of a user also the errors of `ApiKeyAuthenticator.userNamed` */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const { apiKey } = request;
    if (apiKey === undefined) return true;
    const access = this.reflector.get(OpenToKeys, context.getHandler());
    if (access === undefined || !opens(apiKey.scopes, access.scope)) throw new BusinessError('FORBIDDEN');
    return access.onBehalf ? this.#actAsUser(request, apiKey) : true;
  }

  /** Makes the named user the caller of the request, with the role `user` and without a session. */
  async #actAsUser(request: CallerRequest, { expiresAt }: ApiKey): Promise<boolean> {
    const id = await this.keys.userNamed(request.headers[ON_BEHALF_OF.toLowerCase()]);
    request.user = { id, role: 'user', expiresAt: expiresAt ?? Number.POSITIVE_INFINITY, byKey: true };
    return true;
  }
}
