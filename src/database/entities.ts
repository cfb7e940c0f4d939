import { UserEntity } from '../identity/entities/user.entity';

/** Every table's entity. An explicit list works the same in tests, in the build and in TypeORM's command line. */
export const ENTITIES = [UserEntity];
