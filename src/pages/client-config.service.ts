import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { version } from '../../package.json';
import { CachedResponse } from '../common/http/cached-response';
import { success } from '../common/http/envelope.interceptor';
import { Catalogues } from '../common/i18n/catalogues';
import type { MessageCatalogue } from '../common/i18n/catalogue';
import { CONFIG, type Config } from '../config/config';
import { DemoAccounts } from '../demo/demo-accounts';
import { mayEditProfiles } from '../identity/own-profile.service';
import { MAX_NAME } from '../identity/rules/limits.rules';
import { MAX_CONVERSATION_NAME, MAX_MEMBERS } from '../messaging/rules/limits.rules';
import { MAX_TEXT } from '../messaging/rules/message-content.rules';
import type { ClientConfigResponse } from './dto/client-config.dto';

interface Document {
  /** The demo accounts in the document; if they change, it is rebuilt. */
  accounts: string;
  response: CachedResponse;
}

/** Builds the configuration that clients need before log-in (API 16.6). */
@Injectable()
export class ClientConfigService {
  readonly #fixed: Omit<ClientConfigResponse, 'demo'>;
  /** The document in each requested language. */
  readonly #documents = new Map<MessageCatalogue, Document>();

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly demo: DemoAccounts,
    private readonly languages: Catalogues,
  ) {
    this.#fixed = fixedPartOf(config);
  }

  /** Returns the current document in the language of the request. */
  async current(request: FastifyRequest): Promise<CachedResponse> {
    const demo = await this.demo.current();
    const catalogue = this.languages.for(request);
    const accounts = demo?.accounts.join() ?? '';
    const cached = this.#documents.get(catalogue);
    if (cached?.accounts === accounts) return cached.response;
    const response = new CachedResponse(JSON.stringify(success({ ...this.#fixed, demo }, catalogue)));
    this.#documents.set(catalogue, { accounts, response });
    return response;
  }
}

/** Returns the part that does not change while the service runs. */
const fixedPartOf = ({ media, people, ...config }: Config): Omit<ClientConfigResponse, 'demo'> => ({
  version,
  time_zone: config.timezone,
  language: config.language,
  media: { provider: media.provider, configured: media.provider === 'webrtc' || !media.isGenerated },
  limits: {
    message_length: MAX_TEXT,
    name_length: MAX_NAME,
    conversation_name_length: MAX_CONVERSATION_NAME,
    group_members: MAX_MEMBERS,
    recall_seconds: config.messageRecallSeconds,
    edit_seconds: config.messageEditSeconds,
  },
  features: {
    user_directory: people.directory,
    profile_editing: mayEditProfiles({ people, ...config }),
    presence: people.presence,
    typing: true,
  },
});
