import type { IncomingMessage } from 'node:http';
import { context, propagation } from '@opentelemetry/api';
import { currentRequest } from '../concurrency/current-caller';
import { parseTraceparent, withNewSpan } from './traceparent';

declare module '../concurrency/current-caller' {
  interface CurrentRequest {
    /** Trace that the request belongs to; undefined if there is none. */
    traceparent?: string;
  }
}

/** Returns the span of the OpenTelemetry SDK that the current code runs in; undefined if no SDK is loaded. */
function activeSpan(): string | undefined {
  const headers: { traceparent?: string } = {};
  propagation.inject(context.active(), headers);
  return headers.traceparent;
}

/** Returns the trace of an incoming request: the span that the SDK has opened for it, or else the header. */
export const traceOfRequest = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  activeSpan() ?? parseTraceparent(headers.traceparent);

/** Returns the trace that the current code runs in; undefined if there is none. */
export const currentTrace = (): string | undefined => currentRequest()?.traceparent ?? activeSpan();

/**
 * Sends a request as a part of a trace.
 * @param send receives the headers to add: none without a trace, and none if the SDK is loaded, which adds its own
 */
export function sendInTrace<T>(
  traceparent: string | null | undefined,
  send: (headers: { traceparent?: string }) => T,
): T {
  if (traceparent === null || traceparent === undefined) return send({});
  if (propagation.fields().length === 0) return send({ traceparent: withNewSpan(traceparent) });
  return context.with(propagation.extract(context.active(), { traceparent }), send, undefined, {});
}
