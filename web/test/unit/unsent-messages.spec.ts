import type { CallboardError, PendingMessage, SendMessageRequest } from '@callboard/client';

/* Unsent messages of the web client with mocks of the browser and the client package. */

/** State of the chat. The package is not built in this project. */
let mockPending: PendingMessage[] = [];
const mockSent: [SendMessageRequest, CallboardError | undefined][] = [];
let mockListener: () => void = () => undefined;

jest.mock('@callboard/client', () => jest.requireActual('../../../packages/client/src/errors'), {
  virtual: true,
});
jest.mock('../../src/shared/callboard', () => ({
  callboard: {
    session: { onChange: () => undefined },
    live: {
      messages: () => ({
        getSnapshot: () => ({ pending: mockPending }),
        subscribe: (listener: () => void) => (mockListener = listener),
        send: (...parts: [SendMessageRequest, CallboardError | undefined]) => void mockSent.push(parts),
      }),
    },
  },
}));
jest.mock('../../src/app/live-store', () => ({}));

const USER = 1;
const CONVERSATION = 7;

/** Loads the page. */
async function openPage() {
  jest.resetModules();
  const page = await import('../../src/app/chat/open-chats');
  page.restoreOutbox(USER);
  return page;
}

describe('Unsent messages of the web client', () => {
  it('are restored after a reload, and rejected ones with their error', async () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    Object.assign(globalThis, { sessionStorage: storage, localStorage: storage });
    const { CallboardError: ServiceError } = await import('@callboard/client');
    const rejected = { type: 'text', content: '', client_msg_id: 'rejected' } as const;
    const queued = { type: 'text', content: 'hello', client_msg_id: 'queued' } as const;
    const { sendFrom } = await openPage();
    sendFrom(CONVERSATION, queued);
    mockPending = [
      {
        clientMsgId: 'rejected',
        body: rejected,
        error: new ServiceError(422, 'content 字段不能为空', { status: 422, requestId: 'request-1' }),
      },
      { clientMsgId: 'queued', body: queued, error: undefined },
    ];
    mockListener();
    mockSent.length = 0;
    await openPage();
    expect(mockSent).toEqual([
      [
        rejected,
        expect.objectContaining({ code: 422, key: 'EMPTY', field: 'content', requestId: 'request-1' }),
      ],
      [queued, undefined],
    ]);
  });
});
