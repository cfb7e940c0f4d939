import { Flag } from '../../common/input/fields';

export class TypingRequest {
  /** False when the user has stopped typing. */
  @Flag({ default: true })
  typing!: boolean;
}
