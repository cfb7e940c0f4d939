import { WriteJournal, type JournalCall, type JournalMessage } from './write-journal';

/** A response of the service in its envelope. */
export interface Reply {
  code: number;
  message: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- traffic reads responses of any shape
  data: any;
}

/** Sends a request as a user (an administrator for admin paths), and repeats it until the service responds. */
export type Send = (userId: number, method: string, path: string, body?: object) => Promise<Reply>;

const CALLEE_BUSY = 41_001;
const CALLER_BUSY = 41_002;
const ADMIN = 1;
const SERIAL_NO_TAKEN = 409;
const GROUPS = 10;

/** Actions of the users, with their percentages. */
const MIX: [share: number, act: keyof TrafficActions][] = [
  [40, 'chat'],
  [15, 'call'],
  [15, 'notify'],
  [20, 'openApp'],
  [10, 'manageGroups'],
];

interface TrafficActions {
  chat(): Promise<void>;
  call(): Promise<void>;
  notify(): Promise<void>;
  openApp(): Promise<void>;
  manageGroups(): Promise<void>;
}

/**
 * Users who use every feature of the service. Each write has an id chosen by the client, so that it can be repeated.
 * Unexpected responses are errors. The journal records requests and acknowledgements.
 */
export class MixedTraffic implements TrafficActions {
  readonly journal = new WriteJournal();
  readonly conversations: { id: number; members: number[] }[] = [];
  readonly #groups: number[] = [];
  #count = 0;

  constructor(
    private readonly send: Send,
    readonly people: number[],
    private readonly run = 'run',
  ) {}

  /** Creates the users, single chats between neighbours, a group of all users, and device groups. */
  async prepare(): Promise<void> {
    for (const id of this.people) await this.ask(id, 'GET', '/api/calls/active');
    for (const [index, id] of this.people.entries()) {
      const peer_id = this.people[(index + 1) % this.people.length] ?? id;
      const { data } = await this.ask(id, 'POST', '/api/messages/conversations', { type: 'single', peer_id });
      this.conversations.push({ id: data.id, members: [id, peer_id] });
    }
    const [owner = 0, ...others] = this.people.slice(0, 50);
    const group = { type: 'group', name: 'Everybody', member_ids: others };
    const { data } = await this.ask(owner, 'POST', '/api/messages/conversations', group);
    this.conversations.push({ id: data.id, members: [owner, ...others] });
    for (let index = 0; index < GROUPS; index += 1) {
      const body = { name: `Group ${index}`, parent_id: this.#groups[index - 3] };
      this.#groups.push((await this.ask(ADMIN, 'POST', '/api/admin/device-groups', body)).data.id);
    }
  }

  /** Ends every unfinished call, so that every user can be called again. */
  async endCalls(): Promise<void> {
    for (const id of this.people) {
      const { data } = await this.ask(id, 'GET', '/api/calls/active');
      if (data === null) continue;
      const isRinging = data.status === 'ringing';
      const ending = isRinging ? (data.direction === 'outgoing' ? 'cancel' : 'reject') : 'hangup';
      await this.ask(id, 'POST', `/api/calls/${data.call_id}/${ending}`);
    }
  }

  /** Performs one random action. */
  perform(): Promise<void> {
    let place = Math.random() * 100;
    const chosen = MIX.find(([share]) => (place -= share) < 0) ?? MIX[0];
    return this[chosen?.[1] ?? 'chat']();
  }

  /** Performs actions with `workers` concurrent users until `isEnough` returns true. */
  async sendContinuously(workers: number, isEnough: () => boolean): Promise<void> {
    const worker = async (): Promise<void> => {
      while (!isEnough()) await this.perform();
    };
    await Promise.all(Array.from({ length: workers }, worker));
  }

  /** Sends a message, reads the list and, every other time, the history. */
  async chat(): Promise<void> {
    const { id, members } = oneOf(this.conversations);
    const sender = oneOf(members);
    const client_msg_id = this.#newId('message');
    const message: JournalMessage = { conversation: id, sender };
    this.journal.messages.set(client_msg_id, message);
    const root = `/api/messages/conversations`;
    const body = { type: 'text', content: client_msg_id, client_msg_id };
    message.id = (await this.ask(sender, 'POST', `${root}/${id}/messages`, body)).data.id;
    const reader = oneOf(members);
    await this.ask(reader, 'GET', root);
    if (Math.random() < 0.5) await this.ask(reader, 'GET', `${root}/${id}/messages`);
  }

  /** Places a call and takes it to its end. */
  async call(): Promise<void> {
    const [caller, callee] = pickTwo(this.people);
    const request_id = this.#newId('call');
    const call: JournalCall = { caller, callee };
    this.journal.calls.set(request_id, call);
    const { code, data } = await this.ask(caller, 'POST', '/api/calls', { callee_id: callee, request_id }, [
      CALLEE_BUSY,
      CALLER_BUSY,
    ]);
    if (code !== 0) return;
    call.id = data.call_id;
    call.status = data.status;
    const perform = async (who: number, name: string, body?: object): Promise<void> => {
      call.status = (await this.ask(who, 'POST', `/api/calls/${data.call_id}/${name}`, body)).data.status;
    };
    const ending = Math.random();
    if (ending < 0.15) return perform(callee, 'reject');
    if (ending < 0.3) return perform(caller, 'cancel');
    await perform(callee, 'accept', { terminal_id: 'phone' });
    await perform(caller, 'media-state', { terminal_id: 'desk', stage: 'joined' });
    return perform(oneOf([caller, callee]), 'hangup');
  }

  /** Notifies a few users; one of them counts, marks the newest as read, and sometimes all. */
  async notify(): Promise<void> {
    const recipients = [...new Set([oneOf(this.people), oneOf(this.people), oneOf(this.people)])];
    const dedupe_key = this.#newId('notification');
    const notification = { recipients, isAcknowledged: false };
    this.journal.notifications.set(dedupe_key, notification);
    const text = { type: 'system', title: dedupe_key, content: 'Something has happened.' };
    await this.ask(ADMIN, 'POST', '/api/admin/notifications', { user_ids: recipients, ...text, dedupe_key });
    notification.isAcknowledged = true;
    const reader = oneOf(recipients);
    await this.ask(reader, 'GET', '/api/notifications/unread-count');
    const { data } = await this.ask(reader, 'GET', '/api/notifications');
    const newest = data.list[0]?.id;
    if (newest === undefined) return;
    await this.ask(reader, 'PUT', `/api/notifications/${newest}/read`);
    this.journal.read.add(newest);
    if (Math.random() < 0.1) await this.ask(reader, 'PUT', '/api/notifications/all/read');
  }

  /** Sends the requests of an app that is opened. */
  async openApp(): Promise<void> {
    const person = oneOf(this.people);
    const { data } = await this.ask(person, 'GET', '/api/calls/active');
    if (data !== null) await this.ask(person, 'GET', `/api/calls/${data.call_id}`);
    await this.ask(person, 'GET', '/api/messages/unread-count');
    await this.ask(person, 'GET', '/api/calls');
  }

  /** The administrator adds a device to a group and reads the tree. */
  async manageGroups(): Promise<void> {
    const serial_no = this.#newId('device');
    this.journal.devices.set(serial_no, undefined);
    const body = { name: 'Device', serial_no };
    const { code, data } = await this.ask(ADMIN, 'POST', '/api/admin/devices', body, [SERIAL_NO_TAKEN]);
    if (code === 0) {
      const group = oneOf(this.#groups);
      this.journal.devices.set(serial_no, data.id);
      const path = `/api/admin/device-groups/${group}/devices`;
      await this.ask(ADMIN, 'POST', path, { device_ids: [data.id] });
      this.journal.memberships.push({ group, device: data.id });
    }
    await this.ask(ADMIN, 'GET', '/api/admin/device-groups/tree');
  }

  /** Sends a request. A response code other than 0 and the expected ones is an error. */
  async ask(
    userId: number,
    method: string,
    path: string,
    body?: object,
    expected: number[] = [],
  ): Promise<Reply> {
    const reply = await this.send(userId, method, path, body);
    if (reply.code !== 0 && !expected.includes(reply.code))
      throw new Error(`${method} ${path}: ${reply.code} ${reply.message}`);
    return reply;
  }

  #newId(what: string): string {
    this.#count += 1;
    return `${this.run}-${what}-${this.#count}`;
  }
}

function oneOf<T>(items: T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

function pickTwo(items: number[]): [number, number] {
  const index = Math.floor(Math.random() * items.length);
  const step = 1 + Math.floor(Math.random() * (items.length - 1));
  return [items[index] as number, items[(index + step) % items.length] as number];
}
