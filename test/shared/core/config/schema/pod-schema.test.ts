import { CLUSTER, load } from '../config-text';

test('labels of a NodePool are added to those of defaults, and win', () => {
  const { config } = load(
    `${CLUSTER}defaults: {max: 3, podLabels: {team: platform, tier: low}, imagePullSecrets: [a]}
nodePools:
  web: {podLabels: {team: shop}, imagePullSecrets: [b]}
  batch: {}
`,
  );
  expect(config.headrooms).toMatchObject([
    { podLabels: { team: 'shop', tier: 'low' }, imagePullSecrets: ['b'] },
    { podLabels: { team: 'platform', tier: 'low' }, imagePullSecrets: ['a'] },
  ]);
});
