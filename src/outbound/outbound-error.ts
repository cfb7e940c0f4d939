/** Why there is no answer, in a word for programs: one of these, or Node's own code, such as `ECONNREFUSED`. */
export type OutboundFailure =
  'address_not_allowed' | 'connect_timeout' | 'timeout' | 'no_answer' | 'stopped' | (string & {});

/** A request that went out, or was not let out, and got no answer. */
export class OutboundError extends Error {
  constructor(readonly failure: OutboundFailure) {
    super(failure);
    this.name = 'OutboundError';
  }
}
