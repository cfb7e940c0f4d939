import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { CallListRepairService } from '../src/calls/services/call-list-repair.service';
import { Clock } from '../src/common/clock';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { OnlineCountService } from '../src/device-groups/presence/online-count.service';
import { ConversationCountRepairService } from '../src/messaging/services/conversation-count-repair.service';
import { CounterRepairService } from '../src/notifications/services/counter-repair.service';
import { readOptions, runScript, scriptEnvironment } from './command-line';

const USAGE = `Usage: callboard repair counters
Recounts every inbox, every user's conversations and lists of calls, and the online devices in the database
DATABASE_URL. Prints and corrects each wrong counter. The service may keep running. Exit code 0, with or without
corrections; 1 if the recount failed.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const { config } = withLocalSecrets(loadConfig(scriptEnvironment()));
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, new Clock()), {
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
