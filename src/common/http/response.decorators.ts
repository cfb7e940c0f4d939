import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import type { FixedText } from '../words/words';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer leaves as the handler returns it. */
    isRaw?: boolean;
    /** The answer takes as long as its reader: a long one is none to warn of. */
    isStreamed?: boolean;
    /** The envelope's message, instead of the usual one. */
    successMessage?: FixedText;
  }
}

/**
 * `@RawResponse()`: the answer leaves as the handler returns it, outside the envelope. `config`: more about the route,
 * for which no other decorator may be used: of two, one is lost.
 */
export const RawResponse = (config: FastifyContextConfig = {}): MethodDecorator =>
  RouteConfig({ ...config, isRaw: true });

/** `@SuccessMessage('标记成功')`: the envelope's message where the specification fixes one. */
export const SuccessMessage = (successMessage: FixedText): MethodDecorator => RouteConfig({ successMessage });
