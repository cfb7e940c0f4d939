import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/recording/audited.decorator';
import { KeyScope } from '../common/auth/api-keys/key-scope.decorator';
import { PathId } from '../common/input/path-id.decorator';
import { ApiEnvelope } from '../openapi/api-envelope.decorator';
import { AnnouncementResponse, AnnouncementsResponse, ListAnnouncementsQuery } from './dto/announcements.dto';
import { AnnouncementsService } from './services/announcements.service';

@ApiTags('Announcements')
@Controller('api/admin/announcements')
export class AnnouncementsController {
  constructor(private readonly announcements: AnnouncementsService) {}

  @Get()
  @KeyScope('notifications:send')
  @ApiOperation({ summary: 'List announcements, newest first' })
  @ApiEnvelope(AnnouncementsResponse)
  listAnnouncements(@Query() query: ListAnnouncementsQuery): Promise<AnnouncementsResponse> {
    return this.announcements.list(query);
  }

  @Get(':id')
  @KeyScope('notifications:send')
  @ApiOperation({ summary: 'Get an announcement' })
  @ApiEnvelope(AnnouncementResponse, 'ANNOUNCEMENT_NOT_FOUND')
  getAnnouncement(@PathId('id') id: number): Promise<AnnouncementResponse> {
    return this.announcements.get(id);
  }

  @Post(':id/recall')
  @Audited('announcement.recall')
  @KeyScope('notifications:send')
  @ApiOperation({ summary: 'Recall an announcement from all inboxes' })
  @ApiEnvelope(AnnouncementResponse, 'ANNOUNCEMENT_NOT_FOUND')
  recallAnnouncement(@PathId('id') id: number): Promise<AnnouncementResponse> {
    return this.announcements.recall(id);
  }
}
