// Writes the JSON Schema of headroom.yaml, made from the schema that validates it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { configJsonSchema } from '../shared/core/config/schema/json-schema';

mkdirSync('docs/schema', { recursive: true });
writeFileSync('docs/schema/headroom.schema.json', `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
