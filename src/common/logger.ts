import { type LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Lets Nest's own log lines leave through the server's structured log. */
export class StructuredLogger implements LoggerService {
  constructor(private readonly target: FastifyBaseLogger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest's lines about wiring itself up help nobody who runs the service.
    this.target.debug(fieldsOf(rest), String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.target.warn(fieldsOf(rest), String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error(
      { ...fieldsOf(rest), err: message instanceof Error ? message : undefined },
      String(message),
    );
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.target.fatal(
      { ...fieldsOf(rest), err: message instanceof Error ? message : undefined },
      String(message),
    );
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.target.debug(fieldsOf(rest), String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.target.trace(fieldsOf(rest), String(message));
  }
}

/** Nest passes the context's name last and a stack, where there is one, before it. */
function fieldsOf(rest: unknown[]): { context?: string; stack?: string } {
  const texts = rest.filter((item) => typeof item === 'string');
  return { context: texts.at(-1), ...(texts.length > 1 ? { stack: texts[0] } : {}) };
}
