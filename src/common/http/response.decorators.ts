import { Reflector } from '@nestjs/core';

/** `@RawResponse()`: the answer leaves as the handler returns it, outside the envelope. */
export const RawResponse = Reflector.createDecorator<void, true>({ transform: () => true });

/** `@SuccessMessage('标记成功')`: the envelope's message where the specification fixes one. */
export const SuccessMessage = Reflector.createDecorator<string>();
