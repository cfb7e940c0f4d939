import { newUserIds } from './calls';
import { ChatUser } from './messaging';
import { holdPushes, pushAll, register, type Target } from './push';
import { PushProviders } from './push-providers';
import { createTestApp, START, type TestApp } from './test-app';

/** A chat of Ann and Ben, with Ben's phone, in an application whose pushes are sent by `pushAll` and `next`. */
export class PushChat {
  ann!: ChatUser;
  ben!: ChatUser;
  chat!: number;
  target!: Target;

  private constructor(
    readonly test: TestApp,
    readonly providers: PushProviders,
  ) {}

  static async open(): Promise<PushChat> {
    const providers = await PushProviders.open();
    const test = await createTestApp({ env: { ...providers.env, PUSH_CONTENT: 'full' } });
    await holdPushes(test);
    return new PushChat(test, providers);
  }

  /** Begins with new users, no other targets, and providers that accept. */
  async reset(): Promise<void> {
    const { test, providers } = this;
    test.clock.set(START);
    for (const table of ['push_jobs', 'push_targets', 'push_fanouts'])
      await test.query(`DELETE FROM ${table}`);
    const [annId = 0, benId = 0] = newUserIds(2);
    this.ann = await ChatUser.signIn(test.api, annId, 'Ann');
    this.ben = await ChatUser.signIn(test.api, benId, 'Ben');
    this.chat = await this.ann.openSingle(benId);
    this.target = await register(this.ben.api, { kind: 'fcm', token: `fcm-${benId}` });
    providers.clear();
    providers.replies.fcm = () => ({ status: 200 });
    providers.replies.webPush = () => ({ status: 201 });
  }

  async close(): Promise<void> {
    await this.test.close();
    await this.providers.close();
  }

  /** The data of all pushes by FCM. */
  pushed(): Record<string, string>[] {
    return this.providers.fcm.map(({ body }) => body.message.data as Record<string, string>);
  }

  /** Returns the pushes by FCM that are due after some seconds. */
  async next(seconds: number): Promise<Record<string, string>[]> {
    this.providers.clear();
    this.test.clock.advance(seconds);
    await pushAll(this.test);
    return this.pushed();
  }
}
