import { build } from './harness/build';

build((message) => console.error(`${new Date().toISOString().slice(11, 19)} ${message}`)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
