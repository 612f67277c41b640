import { Agent, request } from 'node:https';

// The least that a function could do: one PATCH of a Deployment's replicas over a connection that is kept open.
const { FLOOR_URL, FLOOR_CA, FLOOR_CERT, FLOOR_KEY } = process.env;
const agent = new Agent({ keepAlive: true, ca: FLOOR_CA, cert: FLOOR_CERT, key: FLOOR_KEY });

export function handler({ replicas }) {
  const body = JSON.stringify({ spec: { replicas } });
  const headers = { 'content-type': 'application/merge-patch+json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(FLOOR_URL, { agent, method: 'PATCH', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
