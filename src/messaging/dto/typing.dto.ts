import { Flag } from '../../common/input/fields';

export class TypingRequest {
  /** False: one has stopped. */
  @Flag({ default: true })
  typing!: boolean;
}
