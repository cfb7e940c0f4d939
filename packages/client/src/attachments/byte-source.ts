/** A stream of known size, such as a file that is read piece by piece. */
export interface UploadStream {
  stream: ReadableStream<Uint8Array>;
  /** Size of the stream in bytes. */
  size: number;
}

/** Bytes that an upload reads in order, and again after a failure. */
export interface ByteSource {
  readonly size: number;
  /** Whether the bytes before the last piece can be read again. A stream passes only once. */
  readonly isRepeatable: boolean;
  /**
   * Returns at most `length` bytes from `offset`.
   * @throws {RangeError} if a stream has passed `offset`, or ends before its size
   */
  read(offset: number, length: number): Promise<Blob>;
  /** Cancels a stream, so that its file or connection is closed. */
  close(): void;
}

export const blobSource = (blob: Blob): ByteSource => ({
  size: blob.size,
  isRepeatable: true,
  read: (offset, length) => Promise.resolve(blob.slice(offset, offset + length)),
  close: () => undefined,
});

/** Returns a source that keeps only the last piece of a stream in memory. */
export function streamSource({ stream, size }: UploadStream): ByteSource {
  const reader = stream.getReader();
  /** The bytes from `start` that were read and not dropped. */
  let kept = new Blob();
  let start = 0;
  return {
    size,
    isRepeatable: false,
    async read(offset, length) {
      if (offset < start) throw new RangeError('The stream has passed these bytes');
      const end = Math.min(offset + length, size);
      while (start + kept.size < end) {
        const { done, value } = await reader.read();
        if (done) throw new RangeError(`The stream ended before its ${size} bytes`);
        kept = new Blob([kept, value as Uint8Array<ArrayBuffer>]);
      }
      kept = kept.slice(offset - start);
      start = offset;
      return kept.slice(0, end - offset);
    },
    // Fails if the stream itself has failed, which `read` reports.
    close: () => void reader.cancel().catch(() => undefined),
  };
}
