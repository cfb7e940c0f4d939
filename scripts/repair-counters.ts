import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { CallListRepairService } from '../src/calls/services/call-list-repair.service';
import { loadConfig } from '../src/config/config';
import { OnlineCountService } from '../src/device-groups/presence/online-count.service';
import { EventsModule } from '../src/events/events.module';
import { ConversationCountRepairService } from '../src/messaging/services/conversation-count-repair.service';
import { NotificationEvents } from '../src/notifications/events/notification-events';
import { CounterRepairService } from '../src/notifications/services/counter-repair.service';
import { Inboxes } from '../src/notifications/services/inboxes';
import { DomainEventsModule } from '../src/outbox/domain-events.module';
import { readOptions, runScript, scriptEnvironment } from './command-line';
import { ScriptModule } from './script-module';

const USAGE = `Usage: callboard repair counters
Recounts every inbox, every user's conversations and lists of calls, and the online devices in the database
DATABASE_URL. Prints and corrects each wrong counter. The service may keep running. Exit code 0, with or without
corrections; 1 if the recount failed.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const module = ScriptModule.forRoot(loadConfig(scriptEnvironment()), {
    imports: [DomainEventsModule, EventsModule],
    providers: [
      CounterRepairService,
      Inboxes,
      NotificationEvents,
      ConversationCountRepairService,
      CallListRepairService,
      OnlineCountService,
    ],
  });
  const app = await NestFactory.createApplicationContext(module, {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  let corrected = 0;
  try {
    for (const repair of [
      app.get(CounterRepairService),
      app.get(ConversationCountRepairService),
      app.get(CallListRepairService),
      app.get(OnlineCountService),
    ])
      for await (const { userId, counter, stored, actual } of repair.repair()) {
        const whose = userId === undefined ? '' : `user ${userId}: `;
        process.stdout.write(`${whose}${counter} was ${stored}, is ${actual}\n`);
        corrected += 1;
      }
  } finally {
    await app.close();
  }
  process.stdout.write(`${corrected} counter(s) corrected\n`);
}

runScript(main);
