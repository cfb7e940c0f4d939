import { ServiceProcess } from '../../../../test/support/service-process.js';
import { Callboard, type CallboardOptions } from '../../src/index.js';

export const PASSWORD = 'a-password-of-tests';
let names = 0;

/** A service process, and accounts that sign in with the client. */
export class PeopleOfService {
  private constructor(readonly service: ServiceProcess) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<PeopleOfService> {
    const settings = {
      MEDIA_PROVIDER: 'webrtc',
      CHAT_NOTICES: 'members',
      LOGIN_ATTEMPTS_PER_ADDRESS: '0',
      ...env,
    };
    return new PeopleOfService(await ServiceProcess.start('sqlite::memory:', settings));
  }

  /** Creates an account. Returns its name and the id of its user. */
  async make(name = `person-${(names += 1)}`): Promise<{ account: string; id: number }> {
    const { data } = await this.service.send(
      1,
      'POST',
      '/api/admin/users',
      { account: name, password: PASSWORD, name },
      'admin',
    );
    return { account: name, id: data.id as number };
  }

  /** Creates an account and returns a client that is signed in with it. */
  async signIn(options: CallboardOptions = {}): Promise<Callboard> {
    const { account } = await this.make();
    const callboard = new Callboard({ baseUrl: this.service.url, ...options });
    await callboard.session.logIn(account, PASSWORD);
    return callboard;
  }

  stop(): Promise<unknown> {
    return this.service.stop();
  }
}
