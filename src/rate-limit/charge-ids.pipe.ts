import { Injectable, type PipeTransform } from '@nestjs/common';
import { RequestRate } from './request-rate';

/** Number of ids in a body that cost as much as one request: 500 count as 100. */
const IDS_PER_REQUEST = 5;

/**
 * `@Body(ChargeIds) body`: the request counts by how many ids its body lists, because each of them costs a row or more. It
 * runs after the body was read as its DTO.
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
    // The guard has counted it once.
    await this.rate.charge(Math.max(0, Math.ceil(ids / IDS_PER_REQUEST) - 1));
    return body;
  }
}
