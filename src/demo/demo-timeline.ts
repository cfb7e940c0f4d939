import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { DemoCalls } from './demo-calls';
import { DemoChats } from './demo-chats';
import { DemoNotifications } from './demo-notifications';
import type { DemoUsers } from './demo-people';
import type { DemoStep } from './demo-step';
import { CHINESE_TALK } from './talk/chinese-talk';
import { ENGLISH_TALK } from './talk/english-talk';

/** The activity of the demo users in the last days. */
@Injectable()
export class DemoTimeline {
  readonly #files: string;

  constructor(
    @Inject(CONFIG) { port }: Config,
    private readonly chats: DemoChats,
    private readonly calls: DemoCalls,
    private readonly notices: DemoNotifications,
  ) {
    // The web client loads these files from its own origin, regardless of its host name.
    this.#files = `http://localhost:${port}/demo/`;
  }

  /** Returns the steps in no particular order. */
  scenes(users: DemoUsers): DemoStep[] {
    return [
      ...[CHINESE_TALK, ENGLISH_TALK].flatMap((talk) => this.chats.scenes(users, talk, this.#files)),
      ...this.chats.hiddenChat(users),
      ...this.calls.scenes(users),
      ...this.notices.scenes(users),
    ];
  }
}
