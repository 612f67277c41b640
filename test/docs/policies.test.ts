import { readFileSync } from 'node:fs';
import { configOf, type Synthesized, synthesized, synthesizedKarpenter } from '../infra/synthesized';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: { readonly ArnEquals?: Readonly<Record<string, string>> };
}

function statementsIn(file: string): Statement[] {
  return JSON.parse(readFileSync(`docs/policies/${file}`, 'utf8')).Statement;
}

const eks = ['headroom.json', 'karpenter.json']
  .flatMap(statementsIn)
  .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('eks:')));

describe('the policies for a narrowed execution role', () => {
  test('allow calls of EKS on one cluster only, and nothing else in the same statement', () => {
    expect(eks.length).toBeGreaterThan(0);
    for (const { Action, Resource } of eks) {
      expect([Action].flat().filter((action) => !action.startsWith('eks:'))).toEqual([]);
      for (const resource of [Resource].flat())
        expect(resource).toMatch(/^arn:aws:eks:\*:\*:(cluster\/my-cluster|[a-z-]+\/my-cluster\/\*)$/);
    }
  });

  /** The access policies that a file lets CloudFormation associate and dissociate. */
  const allowedBy = (file: string) =>
    statementsIn(file)
      .filter(({ Action }) => [Action].flat().some((action) => /AssociateAccessPolicy$/i.test(action)))
      .flatMap(({ Condition }) => Condition?.ArnEquals?.['eks:policyArn'] ?? 'any');

  test('allow the access policies of the templates, and no other', () => {
    const config = configOf(readFileSync('examples/full.yaml', 'utf8'));
    const associatedBy = (stack: Synthesized) =>
      Object.values(stack.all('AWS::EKS::AccessEntry')).flatMap(({ Properties }) =>
        ((Properties.AccessPolicies ?? []) as { PolicyArn: string }[]).map(({ PolicyArn }) => PolicyArn),
      );
    const [headroom, karpenter] = [associatedBy(synthesized(config)), associatedBy(synthesizedKarpenter(config))];
    expect(new Set(allowedBy('headroom.json'))).toEqual(new Set(headroom));
    // The second comes on top of the first.
    expect(new Set([...allowedBy('headroom.json'), ...allowedBy('karpenter.json')])).toEqual(
      new Set([...headroom, ...karpenter]),
    );
  });
});
