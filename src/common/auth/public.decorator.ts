import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiSecurity } from '@nestjs/swagger';

/** The metadata that `@Public()` leaves for the guard. */
export const IsPublic = Reflector.createDecorator<void, true>({ transform: () => true });

/** `@Public()`: the route asks for no token. Every other route does (contract 1.6). */
export const Public = (): MethodDecorator & ClassDecorator => applyDecorators(IsPublic(), ApiSecurity({}));
