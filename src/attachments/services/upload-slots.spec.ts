import type { UserId } from '../../common/ids';
import { Metrics } from '../../common/metrics';
import { AttachmentMetrics } from './attachment-metrics';
import { UploadSlots } from './upload-slots';

describe('UploadSlots', () => {
  let slots: UploadSlots;
  let end: () => void;
  let upload: (userId: number) => Promise<void>;
  beforeEach(() => {
    slots = new UploadSlots(new AttachmentMetrics(new Metrics()));
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    end = resolve;
    upload = (userId) =>
      slots.run(
        { userId: userId as UserId, by: 'form' },
        () => isOver,
        () => 1,
      );
  });

  it('accept 20 uploads at the same time, and the next one when one of them ends', async () => {
    const running = Array.from({ length: 20 }, (_, index) => upload(index + 1));
    await expect(upload(21)).rejects.toMatchObject({ key: 'UNAVAILABLE' });
    end();
    await Promise.all(running);
    await expect(upload(21)).resolves.toBeUndefined();
  });

  it('accept six uploads of one user, and those of others', async () => {
    const running = Array.from({ length: 6 }, () => upload(1));
    await expect(upload(1)).rejects.toMatchObject({ key: 'UNAVAILABLE' });
    running.push(upload(2));
    end();
    await Promise.all(running);
    await expect(upload(1)).resolves.toBeUndefined();
  });
});
