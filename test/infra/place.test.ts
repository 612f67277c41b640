import { type Environment, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Headstart } from '../../infra/headstart';
import { newApp } from '../../infra/new-app';
import { configOf, NOW } from './synthesized';

const ACCOUNT = '123456789012';
const config = (account?: string) =>
  configOf(
    JSON.stringify({
      cluster: { name: 'shop', region: 'eu-west-1', ...(account !== undefined && { account }) },
      nodePools: { web: { max: 1 } },
    }),
  );

/** Headstart as a construct of somebody's own stack, and what it warns about. */
function placed(env: Environment | undefined, account?: string): string[] {
  const app = newApp({ treeMetadata: false, context: { 'aws:cdk:bundling-stacks': [] } });
  const stack = new Stack(new Stage(app, 'Prod'), 'Platform', { ...(env && { env }) });
  new Headstart(stack, 'Headstart', { config: config(account), now: NOW });
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

describe('the stack that Headstart is added to', () => {
  test.each([
    {
      name: 'in another region',
      env: { region: 'us-east-1', account: ACCOUNT },
      account: ACCOUNT,
      says: "cluster shop is in region eu-west-1 (cluster.region), and stack Prod-Platform in us-east-1; write env: { region: 'eu-west-1' } for the stack, or correct cluster.region",
    },
    {
      name: 'of another account',
      env: { region: 'eu-west-1', account: '210987654321' },
      account: ACCOUNT,
      says: `cluster shop is in account ${ACCOUNT} (cluster.account), and stack Prod-Platform in 210987654321; write env: { account: '${ACCOUNT}' } for the stack, or correct cluster.account`,
    },
  ])('is refused if it is $name', ({ env, account, says }) => {
    expect(() => placed(env, account)).toThrow(`[Prod/Platform/Headstart] ${says}`);
  });

  test.each([
    { name: 'that fits', env: { region: 'eu-west-1', account: ACCOUNT }, account: ACCOUNT, warned: [] },
    {
      name: 'in an account, with a config that names none',
      env: { region: 'eu-west-1', account: ACCOUNT },
      warned: [],
    },
    { name: 'without an account, with a config that names none', env: { region: 'eu-west-1' }, warned: [] },
    { name: 'without an account', env: { region: 'eu-west-1' }, account: ACCOUNT, warned: ['account'] },
    { name: 'without an environment', env: undefined, account: ACCOUNT, warned: ['region', 'account'] },
  ])('$name: warned about $warned', ({ env, account, warned }) => {
    expect(placed(env, account)).toEqual(
      warned.map((what) =>
        expect.stringContaining(`stack Prod-Platform has no ${what}, so that a deploy to another one is not noticed`),
      ),
    );
  });
});
