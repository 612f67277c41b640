import { type Emulator, REGION } from './emulator';

/** A call in AWS's query protocol, for what the SDK's clients here cannot say. */
export async function queryCall(
  { url }: Emulator,
  service: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=testing/20261116/${REGION}/${service}/aws4_request`;
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(parameters),
    headers: { authorization },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${parameters.Action}: ${answer.status} ${text}`);
  return text;
}
