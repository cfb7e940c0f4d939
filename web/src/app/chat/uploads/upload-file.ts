import { callboard } from '../../../shared/callboard';
import { readDuration } from './read-duration';
import type { Upload } from './upload';

interface UploadOptions {
  signal: AbortSignal;
  /** Receives the share of the bytes that are sent, from 0 to 1. */
  onProgress: (progress: number) => void;
}

/**
 * Uploads a file and returns the id of its attachment. Continues an upload that an earlier page began.
 * @throws {CallboardError} the service rejected the file, or could not be reached
 */
export async function uploadFile(
  { file, name, type, url, duration }: Upload,
  { signal, onProgress }: UploadOptions,
): Promise<number> {
  const isRecording = type === 'audio' || type === 'video';
  const seconds = duration ?? (isRecording ? await readDuration(url, type) : undefined);
  const { id } = await callboard.attachments.upload(file, {
    type,
    name,
    signal,
    ...(seconds !== undefined && { duration: seconds }),
    onProgress: (sent, total) => onProgress(total === 0 ? 0 : sent / total),
    store: localStorage,
  });
  return id;
}
