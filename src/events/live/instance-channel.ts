import type { InstanceMessage } from './instance-message';

/** A transport of messages to other instances or workers. A lost message delays events, but loses none. */
export interface InstanceChannel {
  /** Whether the channel is in use, and messages may have a recipient. */
  readonly isUsed: boolean;
  /** Whether this process currently receives the messages of all others, so that it polls less often. */
  readonly isSubscribed: boolean;
  /**
   * Starts to receive.
   * @param receive called with each message of another process; must not throw
   * @param onSubscribed called whenever messages may have been missed until now
   */
  open(receive: (message: InstanceMessage) => void, onSubscribed: () => void): void;
  /** Sends a message to the others, but not to this process. */
  publish(message: InstanceMessage): void;
  close(): void;
}
