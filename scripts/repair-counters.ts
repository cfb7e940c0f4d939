import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/common/clock';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { OnlineCountService } from '../src/device-groups/presence/online-count.service';
import { ConversationCountRepairService } from '../src/messaging/services/conversation-count-repair.service';
import { CounterRepairService } from '../src/notifications/services/counter-repair.service';
import { readOptions, runScript } from './command-line';

const USAGE = `Usage: npm run repair:counters
Recounts every inbox, every user's conversations, and the devices that are online, of the database that DATABASE_URL
names, prints each counter that had drifted, and mends it. The service may keep running. The exit code is 0 also when something was mended, 1 when it could
not be done.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const { config } = withLocalSecrets(loadConfig(process.env));
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, new Clock()), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  let mended = 0;
  try {
    for (const repair of [
      app.get(CounterRepairService),
      app.get(ConversationCountRepairService),
      app.get(OnlineCountService),
    ])
      for await (const { userId, counter, stored, actual } of repair.repair()) {
        const whose = userId === undefined ? '' : `user ${userId}: `;
        process.stdout.write(`${whose}${counter} was ${stored}, is ${actual}\n`);
        mended += 1;
      }
  } finally {
    await app.close();
  }
  process.stdout.write(`${mended} counter(s) mended\n`);
}

runScript(main);
