import { AttachmentSweep } from '../../src/attachments/services/attachment-sweep.job';
import { FileStorage } from '../../src/attachments/storage/file-storage';
import { type AttachmentsApp, createAttachmentsApp, upload, WAV } from '../support/attachments';
import { newUserIds } from '../support/calls';
import { ChatUser, dataOf } from '../support/messaging';
import { overview } from '../support/statistics';
import { createUpload } from '../support/tus';

const NONE = { files: 0, bytes: 0 };

describe('The storage in the statistics overview', () => {
  let test: AttachmentsApp;
  let ann: ChatUser;
  let chat: number;
  beforeEach(async () => {
    test = await createAttachmentsApp();
    [ann] = (await ChatUser.signInAll(test.api, newUserIds(1))) as [ChatUser];
    chat = await ann.createGroup();
  });
  afterEach(() => test?.close());

  const send = async (type: string, content: string | Buffer): Promise<void> => {
    const { id } = dataOf(await upload(ann.api, type, content));
    dataOf(await ann.trySend(chat, { type, attachment_id: id }));
  };

  it('is empty at first, and null where attachments are disabled', async () => {
    expect((await overview(test)).storage).toEqual({
      total: NONE,
      by_type: { image: NONE, audio: NONE, video: NONE, file: NONE },
      last_24_hours: NONE,
      last_7_days: NONE,
      last_30_days: NONE,
      unsent: NONE,
      deleting: NONE,
      incomplete: NONE,
    });
    const disabled = await createAttachmentsApp({ ATTACHMENT_STORAGE: 'off' });
    expect((await overview(disabled)).storage).toBeNull();
    await disabled.close();
  });

  it('counts files and bytes by type and age', async () => {
    await send('file', 'twelve bytes');
    test.clock.advance(10 * 86_400);
    await send('audio', WAV);
    test.clock.advance(3 * 86_400);
    await send('file', 'four');
    expect((await overview(test)).storage).toMatchObject({
      total: { files: 3, bytes: 64 },
      by_type: { image: NONE, audio: { files: 1, bytes: 48 }, file: { files: 2, bytes: 16 } },
      last_24_hours: { files: 1, bytes: 4 },
      last_7_days: { files: 2, bytes: 52 },
      last_30_days: { files: 3, bytes: 64 },
      unsent: NONE,
    });
  });

  it('counts what is unsent, incomplete or not deleted yet', async () => {
    await upload(ann.api, 'file', 'not sent');
    await createUpload(ann.api, 100, { type: 'file', filename: 'a.bin' }, Buffer.from('received'));
    expect((await overview(test)).storage).toMatchObject({
      total: { files: 1, bytes: 8 },
      unsent: { files: 1, bytes: 8 },
      incomplete: { files: 1, bytes: 8 },
    });
    jest.spyOn(test.app.get(FileStorage), 'delete').mockRejectedValueOnce(new Error('The storage is away'));
    test.clock.advance(86_401);
    await expect(test.app.get(AttachmentSweep).sweep()).rejects.toThrow('The storage is away');
    expect((await overview(test)).storage).toMatchObject({
      total: { files: 1, bytes: 8 },
      unsent: NONE,
      deleting: { files: 1, bytes: 8 },
      incomplete: NONE,
    });
  });
});
