import { createApp } from '../../src/create-app';
import { loadConfig } from '../../src/config/config';
import { testEnvironment } from '../support/test-app';

/** Every route of the service with what guards it: nobody, any user, an administrator, or a provider's signature. A new one must be added. */
const ROUTES = `
GET    /api/admin/device-groups                admin
POST   /api/admin/device-groups                admin
GET    /api/admin/device-groups/tree           admin
GET    /api/admin/device-groups/{id}           admin
PUT    /api/admin/device-groups/{id}           admin
DELETE /api/admin/device-groups/{id}           admin
GET    /api/admin/device-groups/{id}/devices   admin
POST   /api/admin/device-groups/{id}/devices   admin
DELETE /api/admin/device-groups/{id}/devices   admin
GET    /api/admin/devices                      admin
POST   /api/admin/devices                      admin
GET    /api/admin/devices/{id}                 admin
PUT    /api/admin/devices/{id}                 admin
DELETE /api/admin/devices/{id}                 admin
GET    /api/calls                              user
POST   /api/calls                              user
GET    /api/calls/{callId}                     user
POST   /api/calls/{callId}/accept              user
POST   /api/calls/{callId}/cancel              user
POST   /api/calls/{callId}/hangup              user
POST   /api/calls/{callId}/media-state         user
POST   /api/calls/{callId}/reject              user
POST   /api/calls/{callId}/token               user
GET    /api/calls/active                       user
GET    /api/messages/conversations             user
POST   /api/messages/conversations             user
GET    /api/messages/conversations/{id}        user
PUT    /api/messages/conversations/{id}        user
GET    /api/messages/conversations/{id}/members user
POST   /api/messages/conversations/{id}/members user
DELETE /api/messages/conversations/{id}/members/{userId} user
PUT    /api/messages/conversations/{id}/settings user
POST   /api/messages/conversations/{id}/read   user
GET    /api/messages/conversations/{id}/messages user
POST   /api/messages/conversations/{id}/messages user
POST   /api/messages/{id}/recall               user
GET    /api/messages/unread-count              user
GET    /api/notifications                      user
GET    /api/notifications/unread-count         user
PUT    /api/notifications/{id}/read            user
PUT    /api/notifications/{id}/unread          user
PUT    /api/notifications/all/read             user
DELETE /api/notifications/{id}                 user
POST   /api/admin/notifications                admin
GET    /api/auth/me                            user
POST   /api/auth/login                         nobody
POST   /api/auth/logout                        nobody
POST   /api/auth/refresh                       nobody
PUT    /api/auth/password                      user
GET    /api/admin/users                        admin
POST   /api/admin/users                        admin
GET    /api/admin/users/{id}                   admin
PUT    /api/admin/users/{id}                   admin
PUT    /api/admin/users/{id}/password          admin
GET    /api/events                             user
GET    /api/events/poll                        user
POST   /api/media/webhooks/agora               signature
GET    /health/live                            nobody
GET    /health/ready                           nobody
GET    /metrics                                nobody
`;

interface Operation {
  summary?: string;
  responses: Record<string, unknown>;
}

describe('Routes', () => {
  it('are these, each behind its guard', async () => {
    const app = await createApp(loadConfig(testEnvironment('sqlite::memory:')));
    const inject = async (method: string, url: string) =>
      app.inject({ method: method as 'GET', url: url.replaceAll(/\{\w+\}/g, '1') });
    const document = JSON.parse((await app.inject('/docs-json')).body) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const routes: string[] = [];
    for (const path of Object.keys(document.paths)) {
      for (const method of Object.keys(document.paths[path] ?? {})) {
        const { statusCode, body } = await inject(method.toUpperCase(), path);
        const user = path.includes('/webhooks/') ? 'signature' : 'user';
        const guard = statusCode !== 401 ? 'nobody' : body.includes('请先登录') ? 'admin' : user;
        routes.push(`${method.toUpperCase()} ${path} ${guard}`);
      }
    }
    await app.close();
    const expected = ROUTES.trim()
      .split('\n')
      .map((line) => line.replaceAll(/ +/g, ' '));
    expect(routes.toSorted()).toEqual(expected.toSorted());
  });
});
