import { Metrics } from '../../common/metrics';
import { AttachmentMetrics } from './attachment-metrics';
import { UploadSlots } from './upload-slots';

describe('UploadSlots', () => {
  it('accepts 20 uploads at the same time, and the next one when one of them ends', async () => {
    const slots = new UploadSlots(new AttachmentMetrics(new Metrics()));
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const upload = (): Promise<void> =>
      slots.run(
        'form',
        () => isOver,
        () => 1,
      );
    const running = Array.from({ length: 20 }, upload);
    await expect(upload()).rejects.toMatchObject({ key: 'UNAVAILABLE' });
    end();
    await Promise.all(running);
    await expect(upload()).resolves.toBeUndefined();
  });
});
