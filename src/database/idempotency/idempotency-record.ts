import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { actorOfCaller, type CallerRequest } from '../../common/auth/caller';
import { idempotencyKeyOf, readFromKey } from '../../common/input/idempotency-key';

/** Identity of a request that creates something and has an `Idempotency-Key`. */
export interface IdempotencyRecord {
  /** The caller: `user:17`, also if an API key acts on the user's behalf, or `key:7`. */
  owner: string;
  key: string;
  /** The operation, such as `POST /api/conversations`. The same key with another operation is another request. */
  route: string;
}

const readIdempotencyRecord = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotencyRecord | undefined => {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const key = idempotencyKeyOf(request);
    const owner = actorOfCaller(request);
    const { method, url = '' } = request.routeOptions;
    return key === undefined || owner === undefined
      ? undefined
      : { owner, key, route: `${String(method)} ${url}` };
  },
);

/**
 * `@Idempotent() record?: IdempotencyRecord`: the route accepts `Idempotency-Key`, and its service creates the object
 * through `Transactions.runIdempotent`. Undefined if the request has no key.
 * @throws {BusinessError} VALIDATION `Idempotency-Key 取值无效`
 */
export const Idempotent = (): ParameterDecorator => readFromKey(readIdempotencyRecord());
