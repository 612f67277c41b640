/**
 * The command that repairs what a deploy put on a cluster, or puts it on a cluster that was recreated.
 * It creates a new role, which is admin until the objects are applied.
 */
export const DEPLOY_AGAIN =
  'run npx cdk deploy --all -c again=$(date +%s), or npx headstart export --again and deploy that: everything is applied again, with a new role';
