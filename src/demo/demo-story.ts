import { Injectable } from '@nestjs/common';
import { DemoCalls } from './demo-calls';
import { DemoChats } from './demo-chats';
import { DemoNotices } from './demo-notices';
import type { DemoCast, DemoScene } from './demo-scene';

/** What the people of the demonstration have done in the last days. */
@Injectable()
export class DemoStory {
  constructor(
    private readonly chats: DemoChats,
    private readonly calls: DemoCalls,
    private readonly notices: DemoNotices,
  ) {}

  /** The scenes, in no order. */
  scenes(cast: DemoCast): DemoScene[] {
    return [...this.chats.scenes(cast), ...this.calls.scenes(cast), ...this.notices.scenes(cast)];
  }
}
