import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, type Principal } from '../../common/auth/principal';
import { ApiEnvelope } from '../../openapi/api-envelope.decorator';
import { MessageSearchService } from './message-search.service';
import { SearchMessagesQuery, SearchMessagesResponse } from './search.dto';

@ApiTags('Messages')
@Controller('api/messages')
export class SearchController {
  constructor(private readonly messages: MessageSearchService) {}

  @Get('search')
  @ApiOperation({ summary: 'Search the texts of messages, newest first' })
  @ApiEnvelope(SearchMessagesResponse, 'CONVERSATION_FORBIDDEN')
  searchMessages(
    @CurrentUser() user: Principal,
    @Query() query: SearchMessagesQuery,
  ): Promise<SearchMessagesResponse> {
    return this.messages.search(user.id, query);
  }
}
