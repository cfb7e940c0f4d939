import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../common/auth/principal';
import { Clock } from '../../common/clock';
import { BusinessError, invalidField } from '../../common/errors/business-error';
import { beginStream } from '../../events/live/begin-stream';
import { ContactGraph } from '../contact-graph';
import type { PresenceQuery, PresenceResponse } from '../dto/presence.dto';
import { PresenceStream, type Subscription } from './presence-stream';
import { PresenceViews } from './presence-views';
import { PresenceWatchers } from './presence-watchers';

/** Presence for users: once, or as a stream (API 9.5). */
@Injectable()
export class PresenceService {
  constructor(
    private readonly views: PresenceViews,
    private readonly watchers: PresenceWatchers,
    private readonly contacts: ContactGraph,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the presence of the requested users.
   * @throws {BusinessError} VALIDATION unless exactly one of the two parameters is given; CONVERSATION_FORBIDDEN
   */
  async get(principal: Principal, query: PresenceQuery): Promise<PresenceResponse> {
    const stream = new PresenceStream(principal, await this.#subscriptionOf(principal, query));
    const answers = await this.views.answer(stream.questions());
    return { items: answers.map(({ item }) => item) };
  }

  /**
   * Turns the request into a stream of the same items; an item is sent again when it changes.
   * @throws {BusinessError} as `get`; UNAVAILABLE during shutdown
   */
  async open(
    principal: Principal,
    query: PresenceQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const stream = new PresenceStream(principal, await this.#subscriptionOf(principal, query));
    if (request.method === 'HEAD') return void beginStream(request, reply);
    // Registered before the first read, so that changes in between are read again.
    this.watchers.add(stream);
    try {
      const showing = await this.views.showing([principal.id]);
      stream.seesOthers ??= showing.has(principal.id);
      const answers = await this.views.answer(stream.questions());
      if (this.watchers.isClosing) throw new BusinessError('UNAVAILABLE');
      const response = beginStream(request, reply);
      if (response === undefined) return;
      stream.begin(response, answers, this.clock.now().getTime());
      response.on('drain', () => this.watchers.resume(stream));
      response.on('close', () => this.watchers.remove(stream));
      if (response.destroyed) this.watchers.remove(stream);
      this.watchers.noteEnds(answers);
      this.watchers.resume(stream);
    } catch (error) {
      this.watchers.remove(stream);
      throw error;
    }
  }

  async #subscriptionOf(
    { id }: Principal,
    { user_ids, conversation_id }: PresenceQuery,
  ): Promise<Subscription> {
    if ((user_ids === undefined) === (conversation_id === undefined))
      throw invalidField('user_ids', 'invalid');
    if (user_ids !== undefined) return { userIds: user_ids, conversationId: undefined };
    const userIds = await this.contacts.chats.membersFor(id, conversation_id ?? 0);
    return { userIds, conversationId: conversation_id };
  }
}
