import { routableUrl } from './request-target';

describe('routableUrl', () => {
  it.each([
    ['/api/calls', '/api/calls'],
    ['/api/calls?next=/api/', '/api/calls?next=/api/'],
    ['/api/calls/%31?x=%zz', '/api/calls/%31?x=%zz'],
    ['/docs/', '/docs/'],
    ['/apis//x/', '/apis//x/'],
    ['*', '/*'],
    ['*?a=1', '/*?a=1'],
    ['*%zz', '/api/undecodable'],
    ['', ''],
    ['/api/%zz', '/api/undecodable'],
    ['/elsewhere/%', '/api/undecodable'],
    ['/api/', '/api//'],
    ['/api/calls/', '/api/calls//'],
    ['/api/calls/?page=1//', '/api/calls//?page=1//'],
    ['/api/calls//accept', '/api/calls///accept'],
    ['/%61pi/calls/', '/%61pi/calls//'],
    ['http://host/api/calls/?x', 'http://host/api/calls//?x'],
    ['http://host/docs/', 'http://host/docs/'],
  ])('returns for %j: %j', (url, expected) => {
    expect(routableUrl(url)).toBe(expected);
  });
});
