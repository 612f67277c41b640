import type { Resource } from '../infra/synthesized';
import { dependenciesOf, inOrder, resolved, type Template } from './template';

/** A resource of a stack as CloudFormation remembers it. */
export interface Made {
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly physicalId: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Never deleted, whatever happens to the stack. */
  readonly retained: boolean;
}

export type Wanted = Pick<Made, 'id' | 'type' | 'properties'>;
export type Answer = Pick<Made, 'physicalId' | 'attributes'>;

/** What makes the resources of a type. */
export interface Provider {
  create(wanted: Wanted, stack: Stack): Promise<Answer>;
  /** Another physical id means that the old resource is deleted in the end. */
  update(wanted: Wanted, old: Made, stack: Stack): Promise<Answer>;
  delete(made: Made, stack: Stack): Promise<void>;
  /** Whether a rollback asks for the old properties even where the update made another resource. */
  readonly restores?: boolean;
}

/** A failure that says what the failed resource is called from now on. */
export class ResourceFailure extends Error {
  constructor(
    message: string,
    readonly physicalId: string,
  ) {
    super(message);
  }
}

export interface StackWorld {
  provider(type: string): Provider;
  /** How long making a resource of this type takes, and the clock to move. */
  duration(type: string): number;
  readonly clock: { now(): number; set(time: number): void };
  readonly pseudo: Readonly<Record<string, string>>;
}

/** How a deploy or a deletion ended. */
export interface StackOutcome {
  readonly status: string;
  /** The first failure, as `cdk deploy` prints it. */
  readonly reason?: string;
}

/** The status in which nobody can go on without help: only a deletion, or `continue-update-rollback`. */
export function isStuck({ status }: Pick<StackOutcome, 'status'>): boolean {
  return ['ROLLBACK_FAILED', 'UPDATE_ROLLBACK_FAILED', 'DELETE_FAILED'].includes(status);
}

/**
 * One stack, as CloudFormation takes it through creation, update, rollback, replacement, clean-up and
 * deletion. Resources are made one after the other, at the times at which what they need is there.
 */
export class Stack {
  status = 'NONE';
  private made = new Map<string, Made>();
  private template: Template = {};
  private order: readonly string[] = [];

  constructor(
    readonly name: string,
    private readonly world: StackWorld,
  ) {}

  get id(): string {
    const { 'AWS::Region': region, 'AWS::AccountId': account } = this.world.pseudo;
    return `arn:aws:cloudformation:${region}:${account}:stack/${this.name}/5c1f`;
  }

  get resources(): readonly Made[] {
    return [...this.made.values()];
  }

  async deploy(template: Template): Promise<StackOutcome> {
    if (isStuck(this)) return { status: this.status, reason: 'the stack is stuck' };
    return this.made.size === 0 ? this.create(template) : this.update(template);
  }

  async destroy(): Promise<StackOutcome> {
    this.status = 'DELETE_IN_PROGRESS';
    return this.removeAll('DELETE');
  }

  private async create(template: Template): Promise<StackOutcome> {
    this.status = 'CREATE_IN_PROGRESS';
    this.template = template;
    const failure = await this.apply(template);
    if (failure === undefined) return this.ended('CREATE_COMPLETE');
    this.status = 'ROLLBACK_IN_PROGRESS';
    const { status, reason } = await this.removeAll('ROLLBACK');
    return { status, reason: [failure, reason].filter((one) => one !== undefined).join('; rolling back ') };
  }

  private async update(template: Template): Promise<StackOutcome> {
    const [before, old] = [new Map(this.made), this.template];
    this.status = 'UPDATE_IN_PROGRESS';
    this.template = template;
    const failure = await this.apply(template);
    if (failure !== undefined) return this.rollBack(before, old, failure);
    this.status = 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
    await this.cleanUp([...before.values()], this.made, inOrder(old));
    return this.ended('UPDATE_COMPLETE');
  }

  private async rollBack(before: Map<string, Made>, old: Template, reason: string): Promise<StackOutcome> {
    const reached = new Map(this.made);
    this.status = 'UPDATE_ROLLBACK_IN_PROGRESS';
    this.template = old;
    for (const id of inOrder(old)) {
      const [was, is] = [before.get(id), reached.get(id)];
      if (!was || !is || was === is) continue;
      const provider = this.world.provider(was.type);
      if (was.physicalId !== is.physicalId && !provider.restores) {
        this.made.set(id, was);
        continue;
      }
      try {
        const { physicalId, attributes } = await provider.update(was, is, this);
        this.made.set(id, { ...was, physicalId, attributes });
      } catch (error) {
        this.status = 'UPDATE_ROLLBACK_FAILED';
        return { status: this.status, reason: `${reason}; rolling back ${id}: ${(error as Error).message}` };
      }
    }
    this.status = 'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS';
    const kept = new Map([...this.made].filter(([id]) => before.has(id)));
    await this.cleanUp([...reached.values()], kept, [...inOrder(old), ...reached.keys()]);
    this.made = kept;
    return { ...this.ended('UPDATE_ROLLBACK_COMPLETE'), reason };
  }

  /** Makes and changes everything in order; gives the failure, if there is one. */
  private async apply(template: Template): Promise<string | undefined> {
    const { clock, duration } = this.world;
    const ends = new Map<string, number>();
    const started = clock.now();
    this.order = inOrder(template);
    for (const id of this.order) {
      const resource = template[id] as Resource;
      const needed = dependenciesOf(resource, template).map((earlier) => ends.get(earlier) ?? started);
      const old = this.made.get(id);
      let properties: Made['properties'] = {};
      try {
        clock.set(Math.max(started, ...needed));
        properties = this.resolve(resource.Properties ?? {});
        if (old && JSON.stringify(old.properties) === JSON.stringify(properties)) continue;
        clock.set(clock.now() + duration(resource.Type));
        const wanted = { id, type: resource.Type, properties };
        const provider = this.world.provider(resource.Type);
        const answer = await (old ? provider.update(wanted, old, this) : provider.create(wanted, this));
        const { physicalId, attributes } = answer;
        const retained = resource.DeletionPolicy?.startsWith('Retain') ?? false;
        this.made.set(id, { ...wanted, physicalId, attributes, retained });
      } catch (error) {
        const { message, physicalId } = error as ResourceFailure;
        // A resource that failed is rolled back too, and deleted under the id that it got.
        if (old) this.made.set(id, { ...old, properties });
        else if (physicalId !== undefined)
          this.made.set(id, { id, type: resource.Type, properties, attributes: {}, retained: false, physicalId });
        return `${id}: ${message}`;
      } finally {
        ends.set(id, clock.now());
        // What fails does so when everything else that began has ended.
        clock.set(Math.max(...ends.values()));
      }
    }
    for (const id of [...this.made.keys()].filter((one) => template[one] === undefined)) this.made.delete(id);
    return undefined;
  }

  /** Deletes what was there and is no longer the resource of its id; a failure is only logged. */
  private async cleanUp(all: readonly Made[], kept: Map<string, Made>, order: readonly string[]): Promise<void> {
    const gone = all.filter((one) => kept.get(one.id)?.physicalId !== one.physicalId && !one.retained);
    gone.sort((a, b) => order.indexOf(b.id) - order.indexOf(a.id));
    for (const one of gone)
      await this.world
        .provider(one.type)
        .delete(one, this)
        .catch(() => {});
  }

  private async removeAll(what: 'DELETE' | 'ROLLBACK'): Promise<StackOutcome> {
    const all = [...this.made.values()].sort((a, b) => this.order.indexOf(b.id) - this.order.indexOf(a.id));
    for (const one of all) {
      try {
        if (!one.retained) await this.world.provider(one.type).delete(one, this);
        this.made.delete(one.id);
      } catch (error) {
        this.status = `${what}_FAILED`;
        return { status: this.status, reason: `${one.id}: ${(error as Error).message}` };
      }
    }
    return this.ended(`${what}_COMPLETE`);
  }

  private ended(status: string): StackOutcome {
    this.status = status;
    return { status };
  }

  private resolve(properties: unknown): Record<string, unknown> {
    const { pseudo } = this.world;
    const found = (id: string) => {
      const one = this.made.get(id);
      if (!one) throw new Error(`nothing is called ${id} yet`);
      return one;
    };
    return resolved(properties, {
      ref: (name) => {
        if (name === 'AWS::StackId') return this.id;
        if (name === 'AWS::StackName') return this.name;
        return pseudo[name] ?? found(name).physicalId;
      },
      attribute: (id, name) => {
        const { type, attributes, physicalId } = found(id);
        const value = attributes[name];
        if (value !== undefined) return value;
        if (type.startsWith('Custom::'))
          throw new Error(`Vendor response doesn't contain ${name} key in object ${physicalId}`);
        return `arn:aws:recorded:::${physicalId}-${name}`;
      },
    }) as Record<string, unknown>;
  }
}
