import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/common/clock';
import { loadConfig } from '../src/config/config';
import { withLocalSecrets } from '../src/config/local-secrets';
import { RecountService } from '../src/statistics/services/recount.service';
import { readOptions, runScript, scriptEnvironment } from './command-line';

const USAGE = `Usage: callboard repair stats
Recounts calls, messages and users per day of APP_TIMEZONE in the database DATABASE_URL. Prints and corrects each stored
metric that is wrong. The service may keep running. Active users of past days are only raised: a user who was active
again later cannot be recounted. Exit code 0, with or without corrections; 1 if the recount failed.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const { config } = withLocalSecrets(loadConfig(scriptEnvironment()));
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, new Clock()), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  let corrected = 0;
  try {
    for await (const { metric, day, stored, actual } of app.get(RecountService).repair()) {
      process.stdout.write(`${day === '' ? 'all days' : day}: ${metric} was ${stored}, is ${actual}\n`);
      corrected += 1;
    }
  } finally {
    await app.close();
  }
  process.stdout.write(`${corrected} metric(s) corrected\n`);
}

runScript(main);
