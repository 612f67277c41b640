import { runCli } from '../run-cli';

const FOLDER = __dirname;

describe('a folder in the place of a file', () => {
  test.each([
    { argv: ['validate', FOLDER], says: `${FOLDER}:1:1: is a folder; name another with --config` },
    { argv: ['import', FOLDER], says: `${FOLDER}: is a folder; pass a YAML file` },
    { argv: ['simulate', FOLDER], says: `${FOLDER}: is a folder; pass a CSV file` },
    { argv: ['plan', '--html', FOLDER], says: `--html ${FOLDER}: is a folder; pass a file` },
    { argv: ['status', '--kubeconfig', FOLDER], says: `--kubeconfig ${FOLDER}: is a folder; pass the kubeconfig file` },
  ])('$argv.0 says so, without the name of an error code', async ({ argv, says }) => {
    const { code, err } = await runCli(argv);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(says) });
    expect(err).not.toMatch(/\bE[A-Z]{4,}\b/);
  });
});
