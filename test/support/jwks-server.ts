import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

const FAR_FUTURE = 4_102_444_800;

/** Key pair of an identity provider. */
export interface SigningKey {
  jwk: JWK;
  /** Returns an access token signed with the key. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
}

export async function makeKey(alg: 'RS256' | 'ES256' | 'EdDSA', kid: string): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (claims, header = {}) =>
      new SignJWT({ exp: FAR_FUTURE, ...claims })
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey),
  };
}

/** An HTTP server on the loopback that publishes keys as an identity provider does. */
export class JwksServer {
  /** Published keys; change them to rotate. */
  keys: JWK[] = [];
  /** Response to send instead of the keys, to simulate a failing provider. */
  failure?: { status: number; body: string } | 'no answer';
  /** Number of requests. */
  requests = 0;

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(keys: SigningKey[], port = 0): Promise<JwksServer> {
    const server = createServer((_request, response) => {
      jwks.requests += 1;
      if (jwks.failure === 'no answer') return;
      const { status, body } = jwks.failure ?? { status: 200, body: JSON.stringify({ keys: jwks.keys }) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    const jwks = new JwksServer(server);
    jwks.publish(keys);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return jwks;
  }

  publish(keys: SigningKey[]): void {
    this.keys = keys.map(({ jwk }) => jwk);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/.well-known/jwks.json`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
