import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../test/support/service-process';
import type { BenchApp, BenchPart } from './bench-app';
import { compareDownloads } from './attachments/downloads';
import { compareReads } from './attachments/reads-beside-uploads';

/** Speed of downloads compared with a server of static files, and of reads while files are uploaded. */
export const attachments: BenchPart = {
  name: 'attachments',
  async run({ databaseUrl, dataSource }: BenchApp) {
    const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-files-'));
    const env = { ATTACHMENT_STORAGE: `file:${folder}`, ATTACHMENT_QUOTA_BYTES: '0' };
    const service = await ServiceProcess.start(databaseUrl, env);
    try {
      const downloads = await compareDownloads({ service, dataSource, folder });
      return [...downloads, ...(await compareReads(service))];
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
