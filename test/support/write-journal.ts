/** A message that a client has requested; `id` is set once the service has acknowledged it. */
export interface JournalMessage {
  conversation: number;
  sender: number;
  id?: number;
}

/**
 * A call that a client has requested; `id` is set once acknowledged, `status` is that of the last acknowledged action.
 */
export interface JournalCall {
  caller: number;
  callee: number;
  id?: number;
  status?: string;
}

/** A notification that was requested for some users. */
export interface JournalNotification {
  recipients: number[];
  isAcknowledged: boolean;
}

/**
 * Requests of the clients and their acknowledgements, by the id that the client chose. After any fault, every
 * acknowledged write must be stored once, and nothing may be stored that was not requested.
 */
export class WriteJournal {
  /** By `client_msg_id`, which is also the content. */
  readonly messages = new Map<string, JournalMessage>();
  /** By `request_id`. */
  readonly calls = new Map<string, JournalCall>();
  /** By `dedupe_key`, which is also the title. */
  readonly notifications = new Map<string, JournalNotification>();
  /** Ids of notifications whose mark-as-read was acknowledged. */
  readonly read = new Set<number>();
  /** Ids of devices by serial number; undefined until the creation is acknowledged. */
  readonly devices = new Map<string, number | undefined>();
  /** Acknowledged memberships of devices in groups. */
  readonly memberships: { group: number; device: number }[] = [];

  /** Number of acknowledged actions. */
  get acknowledged(): number {
    const known = (entries: Iterable<{ id?: number }>): number =>
      [...entries].filter(({ id }) => id !== undefined).length;
    return (
      known(this.messages.values()) +
      known(this.calls.values()) +
      [...this.notifications.values()].filter(({ isAcknowledged }) => isAcknowledged).length +
      this.memberships.length +
      this.read.size
    );
  }
}
