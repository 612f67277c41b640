import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path/posix';
import { pageNames, pageText } from './pages';

/** The pages of single commands are reached through the first of them. */
const ownPages = pageNames().filter((page) => !/^docs\/cli\/(?!README)/.test(page) && page !== 'CHANGELOG.md');
const npxPages = ownPages.filter((page) => pageText(page).includes('npx headstart') && page !== 'docs/install.md');

describe('until there is a release', () => {
  test.each(pageNames())('%s installs the tarball and never a name from the registry', (page) => {
    expect(pageText(page)).not.toMatch(/npm (install|i|exec|create) (-\S+ )*headstart\b/);
    expect(pageText(page)).not.toMatch(/headstart@(latest|\d)/);
  });

  test.each(npxPages)('%s uses npx only where the package is installed, and says how', (page) => {
    expect(pageText(page)).toContain(`](${relative(dirname(page), 'docs/install.md')})`);
  });

  test('no example fetches it from the registry', () => {
    const workflow = readFileSync('examples/suggest-weekly.yml', 'utf8');
    expect(workflow.indexOf('npm ci')).toBeGreaterThan(0);
    expect(workflow.indexOf('npm ci')).toBeLessThan(workflow.indexOf('npx headstart'));
    expect(readFileSync('examples/terraform/main.tf', 'utf8')).not.toContain('npx');
  });
});

test('the Terraform example keeps the objects of two clusters in one bucket apart', () => {
  const text = readFileSync('examples/terraform/main.tf', 'utf8');
  expect(text).toMatch(/prefix +=\s+"headstart\/\$\{var\.stack_name\}\/"/);
  const keys = [...text.matchAll(/^ {2}key +=\s+(.*)$/gm)].map(([, key]) => key);
  expect(keys).toHaveLength(2);
  for (const key of keys) expect(key).toMatch(/^"\$\{local\.prefix\}/);
  expect(text).toContain('AssetsPrefix = local.prefix');
  // Without a default, nobody deploys two clusters under one name by mistake.
  expect(/variable "stack_name" \{[^}]*\}/.exec(text)?.[0]).not.toContain('default');
  expect(text).toContain('stack.permissionsBoundaryArn');
});

describe('the Terraform example', () => {
  const text = readFileSync('examples/terraform/main.tf', 'utf8');

  test('reads no attribute that version 6 of the AWS provider deprecates', () => {
    expect(text).not.toMatch(/aws_region\.\w+\.name\b/);
  });

  test.each(['iam_role_arn', 'notification_arns', 'tags'])(
    'takes %s for the stack, and may be used without',
    (name) => {
      expect(text).toMatch(new RegExp(`variable "${name}" \\{[^}]*default +=`));
      expect(text).toMatch(new RegExp(`^ {2}${name} += var\\.${name}$`, 'm'));
    },
  );
});
