import { toDto } from '../../../common/input/dto.pipe';
import { digitsAsNumber } from '../../../common/input/fields';
import { UploadRequest } from '../../dto/attachment.dto';

/** Metadata of an upload as the client sent them. */
export type UploadMetadata = Record<string, string | null>;

/**
 * Reads the metadata that correspond to the fields of a form.
 * @throws {BusinessError} VALIDATION
 */
export const readFields = (metadata: UploadMetadata): Promise<UploadRequest> =>
  toDto(UploadRequest, {
    type: metadata['type'] ?? undefined,
    duration: digitsAsNumber(metadata['duration'] ?? undefined),
  });

/** Parses stored metadata. */
export const parseMetadata = (stored: string): UploadMetadata => JSON.parse(stored) as UploadMetadata;
