import * as fc from 'fast-check';
import { type Frame, parseFrames } from '../src/events/frames.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

const encoder = new TextEncoder();

describe('parseFrames', () => {
  const text =
    ': callboard\n\nid: 7\nevent: a\ndata: {"text":"你好 👍"}\n\n: still here\n\ndata: one\r\ndata: two\r\n\r\nid: 8\n\nretry: 5\ndata:three\n\n';
  const expected: Frame[] = [
    { id: '7', data: '{"text":"你好 👍"}' },
    { id: undefined, data: 'one\ntwo' },
    { id: undefined, data: 'three' },
  ];

  it('parses the same frames for every split of the stream into chunks', async () => {
    const bytes = encoder.encode(`${text}id: 9\ndata: unfinished`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            for (const [index, place] of places.entries())
              controller.enqueue(bytes.slice(places[index - 1] ?? 0, place));
            controller.close();
          },
        });
        const frames: Frame[] = [];
        for await (const frame of parseFrames(body)) frames.push(frame);
        expect(frames).toEqual(expected);
      }),
      propertyRuns(),
    );
  });
});
