// Evaluates IAM policies, one request per line on stdin, one decision per line on stdout. It is a process of its own, and
// the package that decides is installed in the suite's cache: its licence is not ours.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { runSimulation } = await import(pathToFileURL(process.argv[2]).href);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, statements, action, resource, principal, context } = JSON.parse(line);
  const { overallResult, errors } = await runSimulation(
    {
      identityPolicies: [{ name: 'own', policy: { Version: '2012-10-17', Statement: statements } }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      request: { action, principal, resource: { resource, accountId: '123456789012' }, contextVariables: context },
    },
    {},
  );
  process.stdout.write(`${JSON.stringify({ id, allowed: overallResult === 'Allowed', errors })}\n`);
}
