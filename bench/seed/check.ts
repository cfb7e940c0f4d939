import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module';
import { Clock } from '../../src/common/clock';
import { loadConfig } from '../../src/config/config';
import { withLocalSecrets } from '../../src/config/local-secrets';
import { CounterRepairService } from '../../src/notifications/services/counter-repair.service';
import { SECRET } from '../tokens';

/**
 * Runs the service's own counter repair on the loaded data.
 * @throws {Error} naming the counters that the repair had to correct
 */
export async function checkSeed(databaseUrl: string): Promise<void> {
  const env = { NODE_ENV: 'test', DATABASE_URL: databaseUrl, JWT_SECRET: SECRET };
  const { config } = withLocalSecrets(loadConfig(env));
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, new Clock()), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  const drift: string[] = [];
  try {
    for await (const { userId, counter, stored, actual } of app.get(CounterRepairService).repair())
      drift.push(`user ${userId}: ${counter} was ${stored}, is ${actual}`);
  } finally {
    await app.close();
  }
  if (drift.length > 0) throw new Error(`Counters of the loaded data are wrong:\n${drift.join('\n')}`);
}
