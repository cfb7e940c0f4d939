import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { actorOf, type CallerRequest } from '../../common/auth/caller';
import { idempotencyKeyOf, readFromKey } from '../../common/input/idempotency-key';

/** A request that makes something, and names itself by its `Idempotency-Key`. */
export interface Creation {
  /** Who acts: `user:17`, also where a key does on the user's behalf, or `key:7`. */
  owner: string;
  key: string;
  /** The operation: the same key for another one is another request. */
  route: string;
}

const readCreation = createParamDecorator((_: unknown, context: ExecutionContext): Creation | undefined => {
  const request = context.switchToHttp().getRequest<CallerRequest>();
  const key = idempotencyKeyOf(request);
  const owner = actorOf(request);
  const { method, url = '' } = request.routeOptions;
  return key === undefined || owner === undefined
    ? undefined
    : { owner, key, route: `${String(method)} ${url}` };
});

/**
 * `@CreatedOnce() creation?: Creation`: the route takes `Idempotency-Key`; its service makes what it makes by
 * `Transactions.once`. Undefined where the request has no key.
 * @throws {BusinessError} VALIDATION `Idempotency-Key 取值无效`
 */
export const CreatedOnce = (): ParameterDecorator => readFromKey(readCreation());
