import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { DemoCalls } from './demo-calls';
import { DemoChats } from './demo-chats';
import { DemoNotices } from './demo-notices';
import type { DemoCast, DemoScene } from './demo-scene';
import { CHINESE_TALK } from './talk/chinese-talk';
import { ENGLISH_TALK } from './talk/english-talk';

/** What the people of the demonstration have done in the last days. */
@Injectable()
export class DemoStory {
  readonly #files: string;

  constructor(
    @Inject(CONFIG) { port }: Config,
    private readonly chats: DemoChats,
    private readonly calls: DemoCalls,
    private readonly notices: DemoNotices,
  ) {
    // The web client loads these files from its own origin, whatever host name it uses.
    this.#files = `http://localhost:${port}/demo/`;
  }

  /** The scenes, in no order. */
  scenes(cast: DemoCast): DemoScene[] {
    return [
      ...[CHINESE_TALK, ENGLISH_TALK].flatMap((talk) => this.chats.scenes(cast, talk, this.#files)),
      ...this.chats.hiddenChat(cast),
      ...this.calls.scenes(cast),
      ...this.notices.scenes(cast),
    ];
  }
}
