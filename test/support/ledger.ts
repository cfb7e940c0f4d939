/** A message that a client meant to send; `id` once the service has acknowledged it. */
export interface LedgerMessage {
  conversation: number;
  sender: number;
  id?: number;
}

/** A call that a client meant to place; `id` once acknowledged, `status` as the last acknowledged act left it. */
export interface LedgerCall {
  caller: number;
  callee: number;
  id?: number;
  status?: string;
}

/** A notification that was meant for some users. */
export interface LedgerNotification {
  recipients: number[];
  isAcknowledged: boolean;
}

/**
 * What clients asked for and what of it the service acknowledged, by the id that they chose: whatever happens to the
 * service, what is acknowledged must be there once, and what was never asked for must not.
 */
export class Ledger {
  /** By `client_msg_id`, which is the content too. */
  readonly messages = new Map<string, LedgerMessage>();
  /** By `request_id`. */
  readonly calls = new Map<string, LedgerCall>();
  /** By `dedupe_key`, which is the title too. */
  readonly notifications = new Map<string, LedgerNotification>();
  /** Ids of notifications whose reading was acknowledged. */
  readonly read = new Set<number>();
  /** Ids of devices by serial number; undefined while nobody has acknowledged one. */
  readonly devices = new Map<string, number | undefined>();
  /** Devices whose addition to a group was acknowledged. */
  readonly memberships: { group: number; device: number }[] = [];

  /** How many acts the service has acknowledged. */
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
