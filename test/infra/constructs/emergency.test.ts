import { isStatusQuestion, parseOverride } from '../../../shared/core/events/parse-override';
import { overrideIntents } from '../../../shared/core/intents/override-intents';
import { demo } from '../demo-config';
import { configOf, NOW, synthesized } from '../synthesized';

const LONG = 'a'.repeat(99);
const stackOf = (name: string, region: string) =>
  synthesized(configOf(`{cluster: {name: ${name}, region: ${region}}, nodePools: {x: {max: 1}}}`));

test('names of function and policy differ by cluster and region, however long these are', () => {
  const stacks = [
    stackOf('demo', 'eu-west-1'),
    stackOf('demo', 'us-gov-west-1'),
    stackOf(`${LONG}b`, 'us-gov-west-1'),
    stackOf(`${LONG}c`, 'us-gov-west-1'),
    stackOf(`${LONG}c`, 'cn-north-1'),
  ];
  const policies = stacks.map(({ one }) => one('AWS::IAM::ManagedPolicy').Properties.ManagedPolicyName);
  const inflates = stacks.map(({ one }) => one('AWS::Lambda::Function', 'Inflate').Properties.FunctionName);
  expect(new Set(policies).size).toBe(stacks.length);
  // A function's name need not tell regions apart.
  expect(new Set(inflates).size).toBe(3);
  for (const name of policies) expect(name).toMatch(/^[\w+=,.@-]{1,128}$/);
  for (const name of inflates) expect(name).toMatch(/^[\w-]{1,64}$/);
});

test.each([
  { name: 'Inflate', intents: [{ kind: 'override', headroom: 'service' }] },
  { name: 'Release', intents: [{ kind: 'release', headroom: 'service' }] },
  { name: 'Status', intents: undefined },
])('the function understands the payload of the printed command $name', ({ name, intents }) => {
  const command = String(synthesized(demo).outputs[`Emergency${name}`]?.Value);
  const raw = JSON.parse(/--payload '(.*)' \/dev\/stdout$/.exec(command)?.[1] ?? '');
  expect(isStatusQuestion(raw)).toBe(intents === undefined);
  if (intents) expect(overrideIntents(parseOverride(raw, NOW.getTime()), demo)).toMatchObject(intents);
});
