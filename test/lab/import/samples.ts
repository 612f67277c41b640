import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Begins with a line break, so that samples can be joined by ---. */
const sample = (name: string) => `\n${readFileSync(join(__dirname, 'samples', `${name}.yaml`), 'utf8')}`;

/** A ScaledObject as KEDA's documentation of the cron scaler writes one, with the optional fields around it. */
export const KEDA_SAMPLE = sample('scaled-object');
/** Its target. */
export const KEDA_TARGET = sample('scaled-deployment');
/** A pause Deployment that a cron trigger inflates: one pod per node, pinned to a pool. */
export const INFLATE = sample('inflate');
/** The Deployment alone. */
export const INFLATE_DEPLOYMENT = INFLATE.slice(INFLATE.indexOf('---') + 4);
/** The values of deliveryhero's chart in their default shape. */
export const DELIVERYHERO = sample('deliveryhero-values');
/** The values of codecentric's chart in their default shape. */
export const CODECENTRIC = sample('codecentric-values');
/** An alpha Provisioner with its node template, as old repositories have them. */
export const PROVISIONER = sample('provisioner');
/** A beta NodePool with its class, as a Helm chart of that time renders them. */
export const BETA = sample('node-pool-v1beta1');
/** A Headroom of OpenFaaS with all that its definition has. */
export const HEADROOM = sample('openfaas-headroom');
