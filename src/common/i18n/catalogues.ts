import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import { type Language, preferredLanguage } from './accept-language';
import { EN } from './en';
import type { MessageCatalogue } from './catalogue';
import { ZH_CN } from './zh-cn';

const CATALOGUES: Record<Language, MessageCatalogue> = { 'zh-CN': ZH_CN, en: EN };

/** Returns the messages for texts that are not for one client: Chinese if `MESSAGE_LANGUAGE` is `auto`. */
export const catalogueFor = ({ language }: Pick<Config, 'language'>): MessageCatalogue =>
  CATALOGUES[language === 'auto' ? 'zh-CN' : language];

/** Adds `Vary: Accept-Language` to all responses if their language depends on the client. */
export function varyByLanguage(fastify: FastifyInstance, { language }: Config): void {
  if (language !== 'auto') return;
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Vary', 'Accept-Language');
    done();
  });
}

/** Selects the message catalogue by `MESSAGE_LANGUAGE` (API 1.10). */
@Injectable()
export class Catalogues {
  /** Messages for texts that are stored or are the same for all users. */
  readonly catalogue: MessageCatalogue;
  readonly #isAuto: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.catalogue = catalogueFor(config);
    this.#isAuto = config.language === 'auto';
  }

  /** Returns the messages for the response to a request. */
  for({ headers }: { headers: IncomingHttpHeaders }): MessageCatalogue {
    return this.#isAuto ? CATALOGUES[preferredLanguage(headers['accept-language'])] : this.catalogue;
  }
}
