import { ConfigError, EnvReader } from './env-reader';
import { readRedis } from './redis-config';

const parse = (url: string) => readRedis(new EnvReader({ REDIS_URL: url }));

const problemsOf = (url: string): string[] => {
  const read = new EnvReader({ REDIS_URL: url });
  readRedis(read);
  try {
    read.finish();
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('REDIS_URL', () => {
  it('names one server', () => {
    expect(parse('rediss://u:p@redis.example:6380/2')).toEqual({
      kind: 'server',
      url: 'rediss://u:p@redis.example:6380/2',
    });
  });

  it('names Sentinels, with their master, its database and both credentials', () => {
    expect(parse('redis-sentinel://one,[::1]:26380/mymaster')).toEqual({
      kind: 'sentinel',
      hosts: [
        { host: 'one', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      tls: false,
      master: 'mymaster',
      db: 0,
    });
    expect(
      parse(
        'rediss-sentinel://me:p%40ss:word@one:1/mymaster/3?sentinel_username=other&sentinel_password=s%26t',
      ),
    ).toEqual({
      kind: 'sentinel',
      hosts: [{ host: 'one', port: 1 }],
      tls: true,
      username: 'me',
      password: 'p@ss:word',
      master: 'mymaster',
      db: 3,
      sentinelUsername: 'other',
      sentinelPassword: 's&t',
    });
  });

  it('names nodes of a cluster', () => {
    expect(parse('redis-cluster://:secret@one:7000, two')).toEqual({
      kind: 'cluster',
      hosts: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
      ],
      tls: false,
      password: 'secret',
    });
  });

  it.each([
    [
      'redis-other://:secret@one',
      'must be a URL of redis, rediss, redis-sentinel, rediss-sentinel, redis-cluster, rediss-cluster',
    ],
    ['redis-sentinel://', 'must list hosts such as host1:26379,host2:26379'],
    ['redis-sentinel://one:99999/mymaster', 'must list hosts such as host1:26379,host2:26379'],
    ['redis-cluster://one:0', 'must list hosts such as host1:26379,host2:26379'],
    ['redis-cluster://one,,two', 'must list hosts such as host1:26379,host2:26379'],
    [
      'redis-sentinel://:secret@one',
      'must name the master, and may name a database: redis-sentinel://host1:26379,host2:26379/mymaster/0',
    ],
    [
      'redis-sentinel://one/mymaster/x',
      'must name the master, and may name a database: redis-sentinel://host1:26379,host2:26379/mymaster/0',
    ],
    [
      'redis-sentinel://one/mymaster?secret=1',
      'may have the options sentinel_username, sentinel_password only',
    ],
    ['redis-cluster://one/2', 'of a cluster must end after its hosts'],
    ['redis-cluster://:secret%@one', 'must be a URL'],
  ])('%s is rejected without its text in the problem', (url, problem) => {
    expect(problemsOf(url)).toEqual([`REDIS_URL ${problem}`]);
  });
});
