import { Injectable } from '@nestjs/common';
import { Workers } from '../../workers/workers';
import type { InstanceChannel } from './instance-channel';
import type { InstanceMessage } from './instance-message';

const NAME = 'events';

/** Connects the workers of one service (`WEB_CONCURRENCY`) through the primary. */
@Injectable()
export class WorkerChannel implements InstanceChannel {
  /** Never: other services on the same database are not connected. */
  readonly isSubscribed = false;

  constructor(private readonly workers: Workers) {}

  get isUsed(): boolean {
    return this.workers.areUsed;
  }

  open(receive: (message: InstanceMessage) => void): void {
    this.workers.onBroadcast(NAME, (message) => receive(message as InstanceMessage));
  }

  publish(message: InstanceMessage): void {
    this.workers.broadcast(NAME, message);
  }

  close(): void {
    this.workers.onBroadcast(NAME, () => undefined);
  }
}
