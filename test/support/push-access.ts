/** The rows of push in the table of `authorisation-table.ts`. */
export const PUSH_ACCESS = `
GET    /api/push/config                                    401    ok    ok    ok     ok          ok
GET    /api/push/targets                                   401    ok    ok    ok     ok          ok
POST   /api/push/targets                                   401    422   422   422    422         422
DELETE /api/push/targets/:id                               401    404   404   404    404         404
POST   /api/push/targets/:id/test                          401    404   404   404    404         404
POST   /api/push/receipts                                  401    422   422   422    422         422
GET    /api/admin/push                                     401    403   403   403    403         ok
DELETE /api/admin/push/targets/:id                         401    403   403   403    403         404
POST   /api/admin/push/targets/:id/test                    401    403   403   403    403         404
GET    /api/admin/users/:id/push-targets                   401    403   403   403    403         ok    ok ok .  .  .  .  .  .  .  .
`;
