import { SwaggerModule } from '@nestjs/swagger';
import { createTestApp } from '../support/test-app';

describe('The OpenAPI document', () => {
  it('costs the start nothing: it is made when it is first asked for, once', async () => {
    const made = jest.spyOn(SwaggerModule, 'createDocument');
    const test = await createTestApp();
    expect(made).toHaveBeenCalledTimes(0);
    const [first, second] = [await test.app.inject('/docs-json'), await test.app.inject('/docs-json')];
    expect([first.statusCode, second.body]).toEqual([200, first.body]);
    expect(made).toHaveBeenCalledTimes(1);
    await test.close();
  });
});
