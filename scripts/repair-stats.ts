import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/common/clock';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { RecountService } from '../src/statistics/services/recount.service';
import { readOptions, runScript } from './command-line';

const USAGE = `Usage: npm run repair:stats
Counts calls, messages and users of the database that DATABASE_URL names anew, by the days of APP_TIMEZONE, prints each
figure that differs from what is stored, and mends it. The service may keep running. Of days before the last one active
users are only raised: who was active again later cannot be recounted. The exit code is 0 also when something was mended,
1 when it could not be done.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const { config } = withLocalSecrets(loadConfig(process.env));
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, new Clock()), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  let mended = 0;
  try {
    for await (const { metric, day, stored, actual } of app.get(RecountService).repair()) {
      process.stdout.write(`${day === '' ? 'all days' : day}: ${metric} was ${stored}, is ${actual}\n`);
      mended += 1;
    }
  } finally {
    await app.close();
  }
  process.stdout.write(`${mended} figure(s) mended\n`);
}

runScript(main);
