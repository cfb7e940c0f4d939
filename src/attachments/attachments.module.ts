import { type DynamicModule, Module } from '@nestjs/common';
import type { AttachmentsConfig, StorageConfig } from '../config/attachments-config';
import { AttachmentsController } from './attachments.controller';
import { FilesController } from './files.controller';
import { AttachmentIntake } from './services/attachment-intake';
import { AttachmentMetrics } from './services/attachment-metrics';
import { AttachmentSweep } from './services/attachment-sweep.job';
import { AvatarsService } from './services/avatars.service';
import { FileScanner } from './services/file-scanner';
import { FilesService } from './services/files.service';
import { ResumableUploadsService } from './services/resumable/resumable-uploads.service';
import { UploadAccess } from './services/resumable/upload-access';
import { UploadCompletion } from './services/resumable/upload-completion';
import { UploadLocks } from './services/resumable/upload-locks';
import { UploadSlots } from './services/upload-slots';
import { UploadsService } from './services/uploads.service';
import { DiskStorage } from './storage/disk-storage';
import { FileStorage } from './storage/file-storage';
import { S3Storage } from './storage/s3-storage';
import { TusController } from './tus.controller';
import { AttachmentViews } from './views/attachment.views';

/**
 * Uploaded files, their storage and their URLs. Without a storage it has no routes and no jobs. Global, because modules
 * without parameters use it.
 */
@Module({})
export class AttachmentsModule {
  static forRoot({ storage, filesSecret, draftFolder }: AttachmentsConfig): DynamicModule {
    const shared = { module: AttachmentsModule, global: true, exports: [AttachmentViews, AvatarsService] };
    if (storage === undefined || filesSecret === undefined)
      return { ...shared, providers: [AttachmentViews, AvatarsService] };
    return {
      ...shared,
      exports: [...shared.exports, AttachmentIntake, FileStorage],
      controllers: [AttachmentsController, FilesController, TusController],
      providers: [
        AttachmentIntake,
        AttachmentMetrics,
        AttachmentSweep,
        AttachmentViews,
        AvatarsService,
        FileScanner,
        FilesService,
        ResumableUploadsService,
        UploadAccess,
        UploadCompletion,
        UploadLocks,
        UploadSlots,
        UploadsService,
        { provide: FileStorage, useFactory: () => createStorage(storage, draftFolder) },
      ],
    };
  }
}

const createStorage = (storage: StorageConfig, draftFolder: string): FileStorage =>
  storage.kind === 'file' ? new DiskStorage(storage.folder) : new S3Storage(storage, draftFolder);
