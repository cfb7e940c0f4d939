import '../src/node-version';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '../src/config/config';
import { CalendarDays } from '../src/statistics/rules/calendar-days.rules';
import { RecountService } from '../src/statistics/services/recount.service';
import { readOptions, runScript, scriptEnvironment } from './command-line';
import { ScriptModule } from './script-module';

const USAGE = `Usage: callboard repair stats
Recounts calls, messages and users per day of APP_TIMEZONE in the database DATABASE_URL. Prints and corrects each stored
metric that is wrong. The service may keep running. Active users of past days are only raised: a user who was active
again later cannot be recounted. Exit code 0, with or without corrections; 1 if the recount failed.`;

async function main(): Promise<void> {
  readOptions(USAGE, {});
  const config = loadConfig(scriptEnvironment());
  const module = ScriptModule.forRoot(config, {
    providers: [{ provide: CalendarDays, useValue: new CalendarDays(config.timezone) }, RecountService],
  });
  const app = await NestFactory.createApplicationContext(module, {
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
