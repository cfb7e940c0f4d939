import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import type { Principal } from '../common/auth/principal';
import { EventsService } from './events.service';

/** Reads the cursor before the answer is made: the events after it bring the answer up to date (contract 7). */
@Injectable()
export class EventCursorInterceptor implements NestInterceptor {
  constructor(private readonly events: EventsService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const { user } = http.getRequest<FastifyRequest & { user: Principal }>();
    const cursor = await this.events.cursorOf(user.id);
    void http.getResponse<FastifyReply>().header('X-Event-Cursor', cursor);
    return next.handle();
  }
}

/** `@WithEventCursor()`: the answer carries the header `X-Event-Cursor`. The module must import `EventsModule`. */
export const WithEventCursor = (): MethodDecorator =>
  applyDecorators(UseInterceptors(EventCursorInterceptor));
