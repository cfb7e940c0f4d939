import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import type { ConversationId } from '../../common/ids';
import { PathId } from '../../common/input/path-id.decorator';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { TypingRequest } from '../dto/typing.dto';
import { TypingService } from './typing.service';

@ApiTags('Conversations')
@Controller('api/messages/conversations/:id/typing')
export class TypingController {
  constructor(private readonly typing: TypingService) {}

  @Post()
  @ApiOperation({ summary: 'Notify the other members that the user is typing, or has stopped' })
  @ApiEnvelope(null, 'CONVERSATION_FORBIDDEN')
  setTyping(
    @CurrentUser() user: Principal,
    @PathId('id') id: ConversationId,
    @Body() body: TypingRequest,
  ): Promise<void> {
    return this.typing.take(user.id, id, body.typing);
  }
}
