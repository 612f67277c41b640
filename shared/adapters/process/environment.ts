/** The environment variables of the functions; the CDK app sets exactly these. */
export const ENVIRONMENT = {
  /** The cluster's API endpoint, read once at deploy. */
  endpoint: 'HEADSTART_ENDPOINT',
  /** The cluster's certificate authority in base64, read once at deploy. */
  certificateAuthority: 'HEADSTART_CA',
  /** The cluster's name, for a function that has no config. */
  clusterName: 'HEADSTART_CLUSTER',
  /** Whose headroom this is: account, region, cluster, namespace and stack. */
  owner: 'HEADSTART_OWNER',
  /** The path of config.json, if not beside the bundle. */
  configFile: 'HEADSTART_CONFIG_FILE',
  /** Another address of CloudWatch, for an emulator. */
  cloudwatchEndpoint: 'HEADSTART_CLOUDWATCH_ENDPOINT',
} as const;
