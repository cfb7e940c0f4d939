import type { CallboardError, PendingMessage, SendMessageRequest } from '@callboard/client';

/* Unsent messages of the web client with mocks of the browser and the client package. */

/** State of the chat. The package is not built in this project. */
let mockPending: PendingMessage[] = [];
const mockSent: [SendMessageRequest, CallboardError | undefined][] = [];
let mockListener: () => void = () => undefined;

/** Names of the locks that other pages hold. */
const mockClaimedElsewhere = new Set<string>();
let mockSessionListener: (user: { id: number } | null, end?: string) => void = () => undefined;

jest.mock(
  '@callboard/client',
  () => ({
    ...jest.requireActual('../../../packages/client/src/errors'),
    uniqueId: () => crypto.randomUUID(),
  }),
  { virtual: true },
);
jest.mock('../../src/app/chat/claim', () => ({
  claim: (name: string) => Promise.resolve(!mockClaimedElsewhere.has(name)),
}));
jest.mock('../../src/shared/callboard', () => ({
  callboard: {
    session: { onChange: (listener: typeof mockSessionListener) => (mockSessionListener = listener) },
    live: {
      messages: () => ({
        getSnapshot: () => ({ pending: mockPending }),
        subscribe: (listener: () => void) => (mockListener = listener),
        close: () => undefined,
        send: (...parts: [SendMessageRequest, CallboardError | undefined]) => void mockSent.push(parts),
      }),
    },
  },
}));
jest.mock('../../src/app/live-store', () => ({}));

const USER = 1;
const CONVERSATION = 7;
const QUEUED = { type: 'text', content: 'hello', client_msg_id: 'queued' } as const;

/** Like the browser's storage, whose entries are the properties of the object. */
class FakeStorage {
  [key: string]: unknown;
  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}
const storage = new FakeStorage();

const locksAreGranted = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Loads a page of the browser, after which `mockSent` has the messages that it adopted. */
async function openPage() {
  jest.resetModules();
  mockSent.length = 0;
  const page = await import('../../src/app/chat/open-chats');
  page.restoreOutbox(USER);
  await locksAreGranted();
  return page;
}

/** Writes a message without a connection. */
function writeOn(page: Awaited<ReturnType<typeof openPage>>): void {
  page.sendFrom(CONVERSATION, QUEUED);
  mockPending = [{ clientMsgId: 'queued', body: QUEUED, error: undefined }];
  mockListener();
}

describe('Unsent messages of the web client', () => {
  beforeEach(() => {
    mockPending = [];
    mockClaimedElsewhere.clear();
    for (const key of Object.keys(storage)) storage.removeItem(key);
    Object.assign(globalThis, { sessionStorage: storage, localStorage: storage });
  });

  it('are adopted by the next page, and rejected ones with their error', async () => {
    const { CallboardError: ServiceError } = await import('@callboard/client');
    const rejected = { type: 'text', content: '', client_msg_id: 'rejected' } as const;
    const { sendFrom } = await openPage();
    sendFrom(CONVERSATION, QUEUED);
    mockPending = [
      {
        clientMsgId: 'rejected',
        body: rejected,
        error: new ServiceError(422, 'content 字段不能为空', { status: 422, requestId: 'request-1' }),
      },
      { clientMsgId: 'queued', body: QUEUED, error: undefined },
    ];
    mockListener();
    await openPage();
    expect(mockSent).toEqual([
      [
        rejected,
        expect.objectContaining({ code: 422, key: 'EMPTY', field: 'content', requestId: 'request-1' }),
      ],
      [QUEUED, undefined],
    ]);
  });

  it('stay with a page that is still open, and are adopted by the page after that', async () => {
    writeOn(await openPage());
    const [entry = ''] = Object.keys(storage);
    mockClaimedElsewhere.add(entry);
    await openPage();
    expect(mockSent).toEqual([]);
    mockClaimedElsewhere.delete(entry);
    await openPage();
    expect(mockSent).toEqual([[QUEUED, undefined]]);
    expect(Object.keys(storage)).not.toContain(entry);
  });

  it('are not sent by another user, and kept until their user logs in again', async () => {
    writeOn(await openPage());
    const page = await openPage();
    mockSent.length = 0;
    mockListener();
    mockSessionListener({ id: 2 });
    // A chat of the user who left still reports a change.
    mockListener();
    page.restoreOutbox(2);
    await locksAreGranted();
    expect(mockSent).toEqual([]);
    await openPage();
    expect(mockSent).toEqual([[QUEUED, undefined]]);
  });
});
