/** The parsing half of agora-token, which is missing from its types. */
declare module 'agora-token/src/AccessToken2' {
  interface Service {
    __type: number;
    __channel_name: Buffer;
    __uid: Buffer;
    __privileges: Record<number, number>;
  }
  export class AccessToken2 {
    constructor(appId: string, appCertificate: string, issueTs: number, expire: number, salt: number);
    appId: Buffer;
    issueTs: number;
    expire: number;
    salt: number;
    services: Service[];
    from_string(token: string): boolean;
    verifySignature(appCertificate: string): boolean;
  }
}
