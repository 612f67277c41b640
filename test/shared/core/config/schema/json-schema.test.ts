import { readFileSync } from 'node:fs';
import { configJsonSchema } from '../../../../../shared/core/config/schema/json-schema';

test('the committed JSON Schema is the one that the validator uses (npm run docs -- schema writes it)', () => {
  const committed = JSON.parse(readFileSync('docs/schema/headroom.schema.json', 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});
