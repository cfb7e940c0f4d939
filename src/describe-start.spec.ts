import { loadConfig } from './config/config';
import { describeStart } from './describe-start';

const start = (env: NodeJS.ProcessEnv): string =>
  describeStart(loadConfig({ NODE_ENV: 'test', ...env }), 'http://[::1]:3000').replace(
    /Callboard \S+/,
    'Callboard',
  );

describe('describeStart', () => {
  it('names the embedded database and the media provider', () => {
    expect(start({ DATABASE_URL: 'sqlite:./data/x.sqlite' })).toBe(
      'Callboard is ready at http://[::1]:3000: SQLite in ./data/x.sqlite, media by webrtc, described at http://[::1]:3000/docs',
    );
  });

  it('names a server without its password, and Redis', () => {
    expect(
      start({ DATABASE_URL: 'mariadb://u:secret@[::1]:3307/board', REDIS_URL: 'redis://:hidden@localhost' }),
    ).toBe(
      'Callboard is ready at http://[::1]:3000: MariaDB at [::1]:3307/board, Redis, media by webrtc, described at http://[::1]:3000/docs',
    );
  });
});
