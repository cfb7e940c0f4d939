import { SwaggerModule } from '@nestjs/swagger';
import { createTestApp } from '../support/test-app';

describe('The OpenAPI document', () => {
  it('is generated once, on the first request', async () => {
    const created = jest.spyOn(SwaggerModule, 'createDocument');
    const test = await createTestApp();
    expect(created).toHaveBeenCalledTimes(0);
    const [first, second] = [await test.app.inject('/docs-json'), await test.app.inject('/docs-json')];
    expect([first.statusCode, second.body]).toEqual([200, first.body]);
    expect(created).toHaveBeenCalledTimes(1);
    await test.close();
  });
});
