import { SwaggerModule } from '@nestjs/swagger';
import { load } from 'js-yaml';
import { createTestApp } from '../support/test-app';

describe('The OpenAPI document', () => {
  it('is generated once, on the first request, and is the same in YAML', async () => {
    const created = jest.spyOn(SwaggerModule, 'createDocument');
    const test = await createTestApp();
    expect(created).toHaveBeenCalledTimes(0);
    const [first, second] = [await test.app.inject('/docs-json'), await test.app.inject('/docs-json')];
    expect([first.statusCode, second.body]).toEqual([200, first.body]);
    const yaml = await test.app.inject('/docs-yaml');
    expect([yaml.statusCode, load(yaml.body)]).toEqual([200, first.json()]);
    expect(created).toHaveBeenCalledTimes(1);
    await test.close();
  });
});
