/**
 * The one command that repairs what a deploy put on a cluster, or that puts it on one that was created again.
 * It comes with a new role, which is admin for as long as that takes.
 */
export const DEPLOY_AFRESH =
  'run npx cdk deploy --all -c again=$(date +%s), or npx headstart export --again and deploy that: everything is applied again, with a new role';
