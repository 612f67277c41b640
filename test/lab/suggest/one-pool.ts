/** A config of one NodePool that leaves room for suggestions. */
export const ONE_POOL = `
cluster: { name: shop, region: ap-northeast-2 }
nodePools:
  default:
    max: 20
    leadTime: 5m
    unit: { node: { cpu: 2, memory: 4Gi } }
`;
