import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BusinessError } from '../../common/errors/business-error';
import { Transactions } from '../../database/transactions';
import {
  ContactGraph,
  type ConversationContacts,
  type Pair,
  type ConversationUser,
} from '../../people/contact-graph';
import { singleChatOf } from '../store/membership.store';
import { areInSmallGroups, haveSingleChats, metBy, smallGroupOf } from './contacts.store';

/** Provides the people module with the users who share conversations. */
@Injectable()
export class Contacts implements ConversationContacts, OnModuleInit {
  constructor(
    private readonly contactGraph: ContactGraph,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.contactGraph.registerChats(this);
  }

  singleChatOf(userId: number, otherId: number): Promise<number | null> {
    return singleChatOf(this.transactions.read(), userId, otherId);
  }

  haveSingleChats(pairs: readonly Pair[]): Promise<boolean[]> {
    return haveSingleChats(this.transactions.read(), pairs);
  }

  async membersFor(userId: number, conversationId: number): Promise<number[]> {
    const members = await smallGroupOf(this.transactions.read(), userId, conversationId);
    if (members === undefined) throw new BusinessError('CONVERSATION_FORBIDDEN');
    return members;
  }

  areMembers(places: readonly ConversationUser[]): Promise<boolean[]> {
    return areInSmallGroups(this.transactions.read(), places);
  }

  metBy(userId: number, ids: readonly number[]): Promise<number[]> {
    return metBy(this.transactions.read(), userId, ids);
  }
}
