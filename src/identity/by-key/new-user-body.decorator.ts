import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { CallerRequest } from '../../common/auth/caller';
import { parseBody } from '../../common/input/dto.pipe';
import { CreateUserByKeyRequest, CreateUserRequest } from '../dto/users.dto';

const readNewUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): Promise<CreateUserRequest> => {
    const { apiKey, body } = context.switchToHttp().getRequest<CallerRequest>();
    return parseBody(apiKey === undefined ? CreateUserRequest : CreateUserByKeyRequest, body);
  },
);

/**
 * `@NewUserBody() body: CreateUserRequest`: `password` is required from administrators and forbidden for API keys
 * (API 4.2).
 */
export function NewUserBody(): ParameterDecorator {
  return (target, method, index) => {
    readNewUser()(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method !== undefined && descriptor) ApiBody({ type: CreateUserRequest })(target, method, descriptor);
  };
}
