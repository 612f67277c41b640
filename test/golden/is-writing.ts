/** Set by `npm run golden`, which runs the tests that import this file. */
export const IS_WRITING = process.env.GOLDEN === 'write';
