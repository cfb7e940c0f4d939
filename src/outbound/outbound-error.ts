/** Error code of a request without a response: one of these, or a code of Node such as `ECONNREFUSED`. */
export type OutboundFailure =
  | 'address_not_allowed'
  | 'connect_timeout'
  | 'timeout'
  | 'no_answer'
  | 'stopped'
  | (string & {});

/** A request that was not sent, or had no response. */
export class OutboundError extends Error {
  constructor(readonly failure: OutboundFailure) {
    super(failure);
    this.name = 'OutboundError';
  }
}
