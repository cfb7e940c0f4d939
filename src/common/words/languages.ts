import { Inject, Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CONFIG, type Config } from '../../config/config';
import { type Language, preferredLanguage } from './accept-language';
import { EN } from './en';
import type { Words } from './words';
import { ZH_CN } from './zh-cn';

const CATALOGUES: Record<Language, Words> = { 'zh-CN': ZH_CN, en: EN };

/** What is said to nobody in particular: in Chinese where each client is answered in its own language. */
export const wordsOf = ({ language }: Pick<Config, 'language'>): Words =>
  CATALOGUES[language === 'auto' ? 'zh-CN' : language];

/** Tells caches that answers differ by their clients' language, where they do. */
export function varyByLanguage(fastify: FastifyInstance, { language }: Config): void {
  if (language !== 'auto') return;
  fastify.addHook('onRequest', (_request, reply, done) => {
    void reply.header('Vary', 'Accept-Language');
    done();
  });
}

/** The words of `MESSAGE_LANGUAGE` (contract 18.6). */
@Injectable()
export class Languages {
  /** For what is stored, or is the same for all. */
  readonly words: Words;
  readonly #isAuto: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.words = wordsOf(config);
    this.#isAuto = config.language === 'auto';
  }

  /** For the answer to a request. */
  for({ headers }: { headers: IncomingHttpHeaders }): Words {
    return this.#isAuto ? CATALOGUES[preferredLanguage(headers['accept-language'])] : this.words;
  }
}
