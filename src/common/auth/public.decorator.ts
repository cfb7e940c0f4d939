import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';

/** Metadata that `@Public()` sets for the guard. */
export const IsPublic = Reflector.createDecorator<void, true>({ transform: () => true });

/** `@Public()`: the route requires no token. All other routes do (API 2.1). */
export const Public = (): MethodDecorator & ClassDecorator => applyDecorators(IsPublic(), ApiSecurity({}));
