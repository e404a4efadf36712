import { asList, asRecord, asText, parseJson } from '../model/json.js';

/**
 * Run in a pod: asks the Service under its name, as the pods of the cluster do. Follows no redirect and knows no proxy. It is given
 * no secret.
 */
const program = `
import http.client, json, sys

answers = []
for path, host in json.loads(sys.argv[2]):
    try:
        connection = http.client.HTTPConnection(sys.argv[1], 80, timeout=10)
        connection.request("GET", path, headers={"Host": host, "User-Agent": "raygate"})
        response = connection.getresponse()
        answers.append({"status": response.status, "body": response.read(4096).decode("utf-8", "replace")})
        connection.close()
    except (OSError, http.client.HTTPException) as error:
        answers.append({"error": f"{type(error).__name__}: {error}"[:300]})
print(json.dumps({"schema": "raygate.requests/1", "answers": answers}))
`;

export interface ServiceRequest {
  readonly path: string;
  readonly host: string;
}

export type ServiceAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'no-answer'; readonly reason: string };

export function serviceRequests(service: string, requests: readonly ServiceRequest[]): readonly string[] {
  return ['python', '-c', program, service, JSON.stringify(requests.map(({ path, host }) => [path, host]))];
}

/** One answer a request, in their order; undefined when the output is not the program's. */
export function readServiceAnswers(stdout: string, count: number): readonly ServiceAnswer[] | undefined {
  const record = asRecord(parseJson(stdout.trimEnd().split('\n').at(-1) ?? ''));
  const answers = asList(record['answers']).map(asRecord);
  if (record['schema'] !== 'raygate.requests/1' || answers.length !== count) return undefined;
  return answers.map((answer) => {
    const status = answer['status'];
    return typeof status === 'number'
      ? { kind: 'answer', status, body: asText(answer['body']) }
      : { kind: 'no-answer', reason: asText(answer['error']) || 'no reason given' };
  });
}
