import { Injectable, type PipeTransform } from '@nestjs/common';
import { RequestRate } from './request-rate';

/** Number of ids in a body that count as one request: 500 ids count as 100 requests. */
const IDS_PER_REQUEST = 5;

/**
 * `@Body(ChargeIds) body`: counts the request by the number of ids in its body, because each of them costs a row or
 * more. Runs after the body was validated as its DTO.
 */
@Injectable()
export class ChargeIds implements PipeTransform {
  constructor(private readonly rate: RequestRate) {}

  /** @throws {BusinessError} TOO_MANY_REQUESTS, as `RequestRate.charge` */
  async transform<Body extends object>(body: Body): Promise<Body> {
    const ids = Object.values(body).reduce<number>(
      (sum, value) => sum + (Array.isArray(value) ? value.length : 0),
      0,
    );
    // The guard has counted the request once.
    await this.rate.charge(Math.max(0, Math.ceil(ids / IDS_PER_REQUEST) - 1));
    return body;
  }
}
