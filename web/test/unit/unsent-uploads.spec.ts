import type { CallboardError, PendingMessage, SendMessageRequest } from '@callboard/client';
import type { StoredUpload } from '../../src/app/chat/uploads/upload';

/* Unsent files of the web client with mocks of the browser, the service and the outbox. */

/** Files in the database of the browser, by their id. */
const mockStored = new Map<string, StoredUpload>();
/** Messages in the outbox, by their `client_msg_id`. */
const mockPending = new Map<string, PendingMessage>();
/** Ids of files and messages that another tab has claimed. */
const mockClaimedElsewhere = new Set<string>();
let mockListener: (conversationId: number) => void = () => undefined;

jest.mock('@callboard/client', () => ({ uniqueId: () => crypto.randomUUID() }), { virtual: true });
jest.mock('../../src/shared/callboard', () => ({
  callboard: {
    attachments: { upload: () => Promise.reject(new Error('rejected')) },
    session: { onChange: () => undefined },
  },
}));
jest.mock('../../src/shared/session', () => ({
  toCallboardError: () => ({ code: 422, isTransient: false }),
}));
jest.mock('../../src/app/chat/open-chats', () => ({
  onOutboxChange: (listener: typeof mockListener) => (mockListener = listener),
  pendingById: () => new Map(mockPending),
  sendFrom: (conversationId: number, body: SendMessageRequest) => {
    const clientMsgId = body.client_msg_id ?? '';
    if (!mockPending.has(clientMsgId)) mockPending.set(clientMsgId, { clientMsgId, body, error: undefined });
    mockListener(conversationId);
  },
  discardFrom: (conversationId: number, clientMsgId: string) => {
    const isUnsent = mockPending.delete(clientMsgId);
    mockListener(conversationId);
    return isUnsent;
  },
}));
jest.mock('../../src/app/chat/claim', () => ({
  claimUpload: (id: string) => Promise.resolve(!mockClaimedElsewhere.has(id)),
}));
jest.mock('../../src/app/chat/uploads/upload-storage', () => ({
  findUploads: () => Promise.resolve([...mockStored.values()]),
  keepUpload: (upload: StoredUpload) => Promise.resolve(mockStored.set(upload.id, upload)),
  forgetUpload: (id: string) => Promise.resolve(mockStored.delete(id)),
}));

const USER = 1;
const CONVERSATION = 7;
const CAPTION: SendMessageRequest = { type: 'text', content: 'look', client_msg_id: 'caption' };

/** Opens a page in a browser that has files of a message, and returns its uploads. */
async function openPage(attachmentIds: readonly (number | undefined)[], caption?: SendMessageRequest) {
  for (const [index, attachmentId] of attachmentIds.entries()) {
    const id = `file-${index + 1}`;
    mockStored.set(id, {
      id,
      userId: USER,
      conversationId: CONVERSATION,
      attachedAt: index,
      file: new Blob(['picture']),
      name: `${id}.png`,
      type: 'image',
      ...(attachmentId !== undefined && { uploaded: { attachmentId, at: Date.now() } }),
      message: { clientMsgId: 'album', replyToId: 5, ...(caption !== undefined && { caption }) },
    });
  }
  const { uploads } = await import('../../src/app/chat/uploads/uploads');
  await uploads.restore(USER);
  return uploads;
}

/** Returns the messages in the outbox, each as its text or its attachments. */
const outbox = () => [...mockPending.values()].map(({ body }) => body.content ?? body.attachment_ids);

/** Lets the service reject all messages in the outbox. */
function rejectMessages(code = 403, key?: CallboardError['key']): void {
  const error = { code, key, isTransient: false } as CallboardError;
  for (const [id, message] of mockPending) mockPending.set(id, { ...message, error });
  mockListener(CONVERSATION);
}

beforeEach(() => {
  mockStored.clear();
  mockPending.clear();
  mockClaimedElsewhere.clear();
  jest.resetModules();
  Object.assign(globalThis, { addEventListener: () => undefined, localStorage: {} });
});

describe('Unsent files of the web client', () => {
  it('are sent as one album after a reload', async () => {
    const uploads = await openPage([11, 12, 13]);
    expect(outbox()).toEqual([[11, 12, 13]]);
    expect(uploads.of(CONVERSATION)).toHaveLength(3);
    expect([...mockStored.keys()]).toEqual(['file-1', 'file-2', 'file-3']);
  });

  it('are sent as one album when another tab claims files at the same time', async () => {
    mockClaimedElsewhere.add('file-2');
    await openPage([11, 12, 13]);
    expect(outbox()).toEqual([[11, 12, 13]]);
  });

  it('are left to another tab that has claimed their message', async () => {
    mockClaimedElsewhere.add('album');
    const uploads = await openPage([11, 12]);
    expect(outbox()).toEqual([]);
    expect(uploads.of(CONVERSATION)).toEqual([]);
    expect(mockStored.size).toBe(2);
  });

  it('are sent as a new message without a picture that is removed from a rejected one', async () => {
    const uploads = await openPage([11, 12, 13], CAPTION);
    rejectMessages();
    uploads.cancel('file-2');
    expect(outbox()).toEqual([[11, 13], 'look']);
    expect([...mockPending.keys()]).not.toContain('album');
    expect([...mockPending.values()].map(({ error }) => error)).toEqual([undefined, undefined]);
    const [album] = mockPending.values();
    expect(album?.body.reply_to_id).toBe(5);
    // A reload finds the files in the new message.
    expect([...mockStored.values()].map(({ message }) => message?.clientMsgId)).toEqual([
      album?.clientMsgId,
      album?.clientMsgId,
    ]);
  });

  it('do not repeat a caption that was delivered when a picture is removed from a rejected message', async () => {
    const uploads = await openPage([11, 12], CAPTION);
    rejectMessages();
    mockPending.delete('caption');
    uploads.cancel('file-1');
    expect(outbox()).toEqual([[12]]);
  });

  it('remove a rejected message with its only picture, and keep its caption', async () => {
    const uploads = await openPage([11], CAPTION);
    rejectMessages();
    uploads.cancel('file-1');
    expect(outbox()).toEqual(['look']);
    expect(uploads.of(CONVERSATION)).toEqual([]);
    expect(mockStored.size).toBe(0);
  });

  it('keep the pictures of a message that is being sent', async () => {
    const uploads = await openPage([11, 12]);
    uploads.cancel('file-1');
    expect(outbox()).toEqual([[11, 12]]);
    expect(uploads.of(CONVERSATION)).toHaveLength(2);
  });

  it('leave their caption to be sent when they are discarded because an upload failed', async () => {
    const uploads = await openPage([11, undefined], CAPTION);
    expect(outbox()).toEqual([]);
    uploads.discard('album');
    expect(outbox()).toEqual(['look']);
    expect(uploads.of(CONVERSATION)).toEqual([]);
  });

  it('do not repeat a delivered caption when they are discarded in the outbox', async () => {
    const uploads = await openPage([11], CAPTION);
    rejectMessages();
    mockPending.delete('caption');
    uploads.discard('album');
    expect(outbox()).toEqual([[11]]);
  });

  it('keep their attachments when the message that they reply to does not exist any more', async () => {
    const uploads = await openPage([11], CAPTION);
    mockPending.delete('caption');
    rejectMessages(404, 'MESSAGE_NOT_FOUND');
    expect(outbox()).toEqual([[11]]);
    expect(uploads.of(CONVERSATION)).toMatchObject([{ uploaded: { attachmentId: 11 } }]);
  });

  it('are uploaded again, before their caption, when the service has deleted the attachments', async () => {
    const uploads = await openPage([11], CAPTION);
    rejectMessages(404, 'ATTACHMENT_NOT_FOUND');
    expect(outbox()).toEqual([]);
    expect(uploads.of(CONVERSATION)).toMatchObject([{ uploaded: undefined, message: { caption: CAPTION } }]);
  });

  it('are uploaded again without their caption when that was delivered', async () => {
    const uploads = await openPage([11], CAPTION);
    mockPending.delete('caption');
    rejectMessages(404, 'ATTACHMENT_NOT_FOUND');
    expect(outbox()).toEqual([]);
    expect(uploads.of(CONVERSATION)).toMatchObject([
      { uploaded: undefined, message: { caption: undefined } },
    ]);
  });
});
