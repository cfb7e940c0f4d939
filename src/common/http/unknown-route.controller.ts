import { All, Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { BusinessError } from '../errors/business-error';

/**
 * Handles all paths below /api that have no route, after the same guards: without a token, an unknown path is a 401.
 */
@ApiExcludeController()
@Controller('api')
export class UnknownRouteController {
  @All(['', '*'])
  refuse(): never {
    throw new BusinessError('ROUTE_NOT_FOUND');
  }
}
