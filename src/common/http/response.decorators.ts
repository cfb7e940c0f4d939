import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';
import type { MessageKey } from '../i18n/catalogue';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The result of the handler is sent without the envelope. */
    isRaw?: boolean;
    /** The duration depends on the client, so slow requests are not logged as warnings. */
    isStreamed?: boolean;
    /** Message of the envelope, instead of the default. */
    successMessage?: MessageKey;
  }
}

/**
 * `@RawResponse()`: the result of the handler is sent without the envelope. `config`: further route config. It must be
 * passed here: of two `RouteConfig` decorators on a method, one overwrites the other.
 */
export const RawResponse = (config: FastifyContextConfig = {}): MethodDecorator =>
  RouteConfig({ ...config, isRaw: true });

/** `@SuccessMessage('标记成功')`: message of the envelope, where the operation defines one. */
export const SuccessMessage = (successMessage: MessageKey): MethodDecorator =>
  RouteConfig({ successMessage });
