import { parseTraceparent, traceIdOf, withNewSpan } from './traceparent';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';

describe('traceparent', () => {
  it.each([
    [`00-${TRACE_ID}-${SPAN_ID}-01`, `00-${TRACE_ID}-${SPAN_ID}-01`],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, `00-${TRACE_ID}-${SPAN_ID}-00`],
    // Flags that this version does not define.
    [`00-${TRACE_ID}-${SPAN_ID}-ff`, `00-${TRACE_ID}-${SPAN_ID}-01`],
    // A later version, with and without further fields.
    [`cc-${TRACE_ID}-${SPAN_ID}-01`, `00-${TRACE_ID}-${SPAN_ID}-01`],
    [`cc-${TRACE_ID}-${SPAN_ID}-01-what-follows`, `00-${TRACE_ID}-${SPAN_ID}-01`],
  ])('%s is read as %s', (header, expected) => {
    expect(parseTraceparent(header)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    [`00-${TRACE_ID}-${SPAN_ID}-01`],
    `00-${TRACE_ID}-${SPAN_ID}`,
    `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    `00-${TRACE_ID}-${SPAN_ID}-01, 00-${TRACE_ID}-${SPAN_ID}-01`,
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `cc-${TRACE_ID}-${SPAN_ID}-01.more`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  ])('%j is invalid', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it('contains the trace id', () => {
    expect(traceIdOf(`00-${TRACE_ID}-${SPAN_ID}-01`)).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  });

  it('gets a new span id for an outgoing request', () => {
    const next = withNewSpan(`00-${TRACE_ID}-${SPAN_ID}-01`);
    expect(next).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
    expect(next).not.toContain(SPAN_ID);
  });
});
