import { readable, type Synthesized, withoutHash } from './synthesized';

/** A resource in short lines, one for each fact about it. */
interface Described {
  /** `AWS::SQS::Queue FailuresQueue`. */
  readonly head: string;
  readonly lines: readonly string[];
  readonly after: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: properties are whatever CloudFormation takes
type Properties = Readonly<Record<string, any>>;
type Describe = (properties: Properties) => readonly string[];

/** The code, of which the bundle has tests of its own. */
const LEFT_OUT = ['Code', 'Content'];

/** The types that one line says better than a list of properties; what a line leaves out follows it. */
const BRIEFLY: Readonly<Record<string, Describe>> = {
  'AWS::IAM::Policy': ({ Roles, PolicyDocument }) => statements(PolicyDocument, `${brief(Roles)} `),
  'AWS::IAM::ManagedPolicy': ({ PolicyDocument, ...rest }) => [...statements(PolicyDocument), ...plainly(rest)],
  'AWS::SQS::QueuePolicy': ({ PolicyDocument }) => statements(PolicyDocument),
  'AWS::SNS::TopicPolicy': ({ PolicyDocument }) => statements(PolicyDocument),
  'AWS::IAM::Role': ({ AssumeRolePolicyDocument, ManagedPolicyArns = [], Description: _, ...rest }) => [
    ...statements(AssumeRolePolicyDocument),
    ...ManagedPolicyArns.map((arn: unknown) => `holds ${brief(arn)}`),
    ...plainly(rest),
  ],
  'AWS::Lambda::Function': ({ Runtime, Handler, MemorySize = 128, Timeout, Environment, ...rest }) => [
    `${Runtime} ${Handler}, ${MemorySize} MB, ${Timeout} s`,
    ...Object.entries(Environment?.Variables ?? {}).map(([name, value]) => `${name}=${brief(value)}`),
    ...plainly(rest),
  ],
  'AWS::CloudWatch::Alarm': (properties) => {
    const { Namespace, MetricName, ExtendedStatistic, Period, Dimensions, Metrics, ...others } = properties;
    const { Statistic = ExtendedStatistic, ComparisonOperator, Threshold, EvaluationPeriods, ...more } = others;
    const {
      DatapointsToAlarm = EvaluationPeriods,
      TreatMissingData = 'missing',
      AlarmActions,
      OKActions,
      ...rest
    } = more;
    const metric = Metrics ? 'expression' : `${Statistic} ${Namespace} ${MetricName} ${brief(Dimensions ?? [])}`;
    const periods = `${DatapointsToAlarm} of ${EvaluationPeriods}${Period === undefined ? '' : ` x ${Period} s`}`;
    return [
      `${metric} ${OPERATORS[ComparisonOperator]} ${Threshold} for ${periods}, without data ${TreatMissingData}`,
      ...(Metrics ?? []).map((one: unknown) => brief(one)),
      ...(AlarmActions ? [`alarm -> ${brief(AlarmActions)}, ok -> ${brief(OKActions)}`] : []),
      ...plainly(rest),
    ];
  },
  'AWS::Events::Rule': ({ EventPattern, Targets, ...rest }) => [
    JSON.stringify(EventPattern),
    ...Targets.map((target: unknown) => `-> ${brief(target)}`),
    ...plainly(rest),
  ],
  'AWS::Scheduler::Schedule': ({ ScheduleExpression, ScheduleExpressionTimezone, Target, ...rest }) => [
    `${ScheduleExpression} ${ScheduleExpressionTimezone}, ${plainly(rest).join(', ')}`,
    ...plainly(Target).map((line) => `-> ${line}`),
  ],
};

const OPERATORS: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
  LessThanOrEqualToThreshold: '<=',
};

function statements({ Statement }: Properties, subject = ''): readonly string[] {
  return Statement.map(({ Effect, Principal, Action, Resource, Condition }: Properties) => {
    const who = Principal === undefined ? subject : `${brief(Object.values(Object(Principal)).flat())} `;
    const what = [Action].flat().join(' ');
    const where = Resource === undefined ? '' : ` on ${brief(Resource)}`;
    const when = Condition === undefined ? '' : ` if ${brief(Condition)}`;
    return `${who}${Effect === 'Allow' ? 'may' : 'must not'} ${what}${where}${when}`;
  });
}

function plainly(properties: Properties): readonly string[] {
  const kept = Object.entries(properties).filter(([name]) => !LEFT_OUT.includes(name));
  return kept.map(([name, value]) => `${name}: ${brief(value)}`).sort();
}

/** YAML on one line, nearly. */
function brief(value: unknown): string {
  if (Array.isArray(value)) return value.length === 1 ? brief(value[0]) : `[${value.map(brief).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${key}: ${brief(inner)}`)
    .join(', ')}}`;
}

function describeAll({ resources, outputs }: Synthesized): readonly Described[] {
  const made = Object.entries(resources).map(([id, { Type, Properties = {}, ...rest }]): Described => {
    const { DependsOn = [], DeletionPolicy, UpdateReplacePolicy } = rest;
    const kept = DeletionPolicy === undefined ? [] : [`deleted: ${DeletionPolicy}, replaced: ${UpdateReplacePolicy}`];
    const lines = (BRIEFLY[Type] ?? plainly)(readable(Properties) as Properties);
    return { head: `${Type} ${withoutHash(id)}`, lines: [...lines, ...kept], after: DependsOn.map(withoutHash).sort() };
  });
  const printed = Object.entries(outputs).map(
    ([name, { Value }]): Described => ({
      head: `Output ${name}`,
      lines: [String(readable(Value)).replaceAll('\n', '\n  ')],
      after: [],
    }),
  );
  return [...made, ...printed].sort((a, b) => (a.head < b.head ? -1 : 1));
}

/** Hashes say only that something has changed. */
const HASH = /(?<=(?:\b(?:config|configHash|objects|run): |ClusterId>\/|Helmkarpenter(?:crd)?))[0-9a-z]{12}\b/g;
const masked = (text: string) => text.replace(HASH, '<hash>');

/** What belongs to one function is named once: `after Inflate{Log,Role}`. */
function afterText(ids: readonly string[]): readonly string[] {
  const parts = ids.map((id) => /^(.*?)(Function|Log|Role|RoleDefaultPolicy)$/.exec(id) ?? [id, id, '']);
  const names = [...new Set(parts.map(([, name]) => name))].map((name) => {
    const ends = parts.filter(([, other]) => other === name).map(([, , end]) => end);
    return ends.length > 1 ? `${name}{${ends.join(',')}}` : `${name}${ends[0]}`;
  });
  return names.length === 0 ? [] : [`after ${names.join(' ')}`];
}

function paragraph(head: string, lines: readonly string[]): string {
  const whole = `${head}: ${lines.join('; ')}`;
  return masked(whole.length <= 120 ? whole : [head, ...lines].join('\n  '));
}

/** What a stack makes, one paragraph for each resource and output. */
export function describeStack(made: Synthesized): string {
  return describeAll(made)
    .map(({ head, lines, after }) => paragraph(head, [...lines, ...afterText(after)]))
    .join('\n');
}

/** What a second stack makes otherwise: `+` is more, `-` is less, `~` is changed. */
export function describeChange(before: Synthesized, after: Synthesized): string {
  const [old, now] = [before, after].map((one) => new Map(describeAll(one).map((made) => [made.head, made])));
  const heads = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort();
  const changes = heads.flatMap((head) => {
    const [was, is] = [old?.get(head), now?.get(head)];
    if (!was) return [paragraph(`+ ${head}`, [...(is?.lines ?? []), ...afterText(is?.after ?? [])])];
    if (!is) return [masked(`- ${head}`)];
    const less = [...without(was.lines, is.lines), ...afterText(without(was.after, is.after))].map(masked);
    const more = [...without(is.lines, was.lines), ...afterText(without(is.after, was.after))].map(masked);
    if (less.length + more.length === 0) return [];
    const isOther = less.join() === more.join();
    const lines = isOther
      ? more.map((one) => `other ${one}`)
      : [...less.map((one) => `- ${one}`), ...more.map((one) => `+ ${one}`)];
    return [paragraph(`~ ${head}`, lines)];
  });
  return changes.length === 0 ? 'nothing' : changes.join('\n');
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((one) => !others.includes(one));
}
