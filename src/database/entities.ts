import { CallEntity } from '../calls/entities/call.entity';
import { CallHistoryEntity } from '../calls/entities/call-history.entity';
import { CallMediaStateEntity } from '../calls/entities/call-media-state.entity';
import { CallSeatEntity } from '../calls/entities/call-seat.entity';
import { UserEntity } from '../identity/entities/user.entity';

/** Every table's entity. An explicit list works the same in tests, in the build and in TypeORM's command line. */
export const ENTITIES = [UserEntity, CallEntity, CallSeatEntity, CallHistoryEntity, CallMediaStateEntity];
