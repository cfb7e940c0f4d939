/** Receives messages, and is notified of times at which messages may have been missed. */
export interface RedisListener {
  onMessage: (text: string) => void;
  /** Called after each subscription: messages may have been missed until now. */
  onSubscribed: () => void;
}

/** A subscription to a fixed list of channels, and the way to publish to them. It reconnects by itself. */
export interface RedisPubSub {
  /** Whether the messages of all channels currently arrive. */
  readonly isSubscribed: boolean;
  /** Publishes without waiting for Redis; the message is lost while Redis is unavailable. */
  publish(channel: string, text: string): void;
  close(): void;
}
