/** What an EventBridge rule matches and a parser is registered for: written once, used by both. */
export interface EventType {
  readonly source: string;
  readonly detailType: string;
}

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html */
export const SPOT_INTERRUPTION = {
  source: 'aws.ec2',
  detailType: 'EC2 Spot Instance Interruption Warning',
} as const satisfies EventType;

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/rebalance-recommendations.html */
export const REBALANCE_RECOMMENDATION = {
  source: 'aws.ec2',
  detailType: 'EC2 Instance Rebalance Recommendation',
} as const satisfies EventType;

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitoring-instance-state-changes.html */
export const INSTANCE_STATE_CHANGE = {
  source: 'aws.ec2',
  detailType: 'EC2 Instance State-change Notification',
} as const satisfies EventType;

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/monitor-interruptible-cr.html */
export const CAPACITY_RESERVATION_INTERRUPTION = {
  source: 'aws.ec2',
  detailType: 'EC2 Capacity Reservation Instance Interruption Warning',
} as const satisfies EventType;

/** @see https://docs.aws.amazon.com/health/latest/ug/aws-health-events-eventbridge-schema.html */
export const HEALTH_EVENT = { source: 'aws.health', detailType: 'AWS Health Event' } as const satisfies EventType;

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html */
export const ALARM_STATE_CHANGE = {
  source: 'aws.cloudwatch',
  detailType: 'CloudWatch Alarm State Change',
} as const satisfies EventType;

/** The states in which an instance is on its way out; the rule filters on them too. */
export const LEAVING_STATES = ['stopping', 'stopped', 'shutting-down', 'terminated'] as const;

/** The only AWS Health events that take an instance away; the rule filters on them too. */
export const HEALTH_SERVICE = 'EC2';
export const HEALTH_CATEGORY = 'scheduledChange';
