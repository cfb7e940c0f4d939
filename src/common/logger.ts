import { type LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Writes Nest's log lines to the structured log of the server. */
export class StructuredLogger implements LoggerService {
  constructor(private readonly target: FastifyBaseLogger) {}

  log(message: unknown, ...optionalParams: unknown[]): void {
    // Nest's lines about its initialisation do not help an operator.
    this.target.debug(fieldsOf(optionalParams), String(message));
  }

  warn(message: unknown, ...optionalParams: unknown[]): void {
    this.target.warn(fieldsOf(optionalParams), String(message));
  }

  error(message: unknown, ...optionalParams: unknown[]): void {
    this.target.error(
      { ...fieldsOf(optionalParams), err: message instanceof Error ? message : undefined },
      String(message),
    );
  }

  fatal(message: unknown, ...optionalParams: unknown[]): void {
    this.target.fatal(
      { ...fieldsOf(optionalParams), err: message instanceof Error ? message : undefined },
      String(message),
    );
  }

  debug(message: unknown, ...optionalParams: unknown[]): void {
    this.target.debug(fieldsOf(optionalParams), String(message));
  }

  verbose(message: unknown, ...optionalParams: unknown[]): void {
    this.target.trace(fieldsOf(optionalParams), String(message));
  }
}

/** Returns the context and the stack. Nest passes the name of the context last, and a stack, if any, before it. */
function fieldsOf(optionalParams: unknown[]): { context?: string; stack?: string } {
  const texts = optionalParams.filter((param) => typeof param === 'string');
  return { context: texts.at(-1), ...(texts.length > 1 ? { stack: texts[0] } : {}) };
}
