import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BusinessError } from '../../common/errors/business-error';
import {
  ContactGraph,
  type ConversationContacts,
  type Pair,
  type ConversationUser,
} from '../../people/contact-graph';
import { areInSmallGroups, haveSingleChats, metBy, singleChatOf, smallGroupOf } from './contacts.store';

/** Provides the people module with the users who share conversations. */
@Injectable()
export class Contacts implements ConversationContacts, OnModuleInit {
  constructor(
    private readonly acquaintances: ContactGraph,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.acquaintances.registerChats(this);
  }

  singleChatOf(userId: number, otherId: number): Promise<number | null> {
    return singleChatOf(this.dataSource.manager, userId, otherId);
  }

  haveSingleChats(pairs: readonly Pair[]): Promise<boolean[]> {
    return haveSingleChats(this.dataSource.manager, pairs);
  }

  async membersFor(userId: number, conversationId: number): Promise<number[]> {
    const members = await smallGroupOf(this.dataSource.manager, userId, conversationId);
    if (members === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    return members;
  }

  areMembers(places: readonly ConversationUser[]): Promise<boolean[]> {
    return areInSmallGroups(this.dataSource.manager, places);
  }

  metBy(userId: number, ids: readonly number[]): Promise<number[]> {
    return metBy(this.dataSource.manager, userId, ids);
  }
}
