import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const sdk = dirname(createRequire(import.meta.url).resolve('@pulumi/pulumi/package.json'));
const fromSdk = createRequire(join(sdk, 'package.json'));

/** The little of @grpc/grpc-js and of the SDK's protocol that is used here; neither is a dependency of its own. */
interface Message {
  [setter: string]: (value: unknown) => unknown;
}
type Call = (
  call: { request: { toObject(): Record<string, unknown> } },
  answer: (error: null, reply: Message) => void,
) => void;

/** What the SDK's program runner connects to, in place of the CLI: it takes every registration and keeps what is logged. */
export interface StandInEngine {
  readonly address: string;
  /** Lines that the CLI would show, by severity (0 debug, 1 info, 2 warning, 3 error). */
  readonly logged: readonly { readonly severity: number; readonly message: string }[];
  close(): void;
}

export async function standInEngine(): Promise<StandInEngine> {
  const grpc = fromSdk('@grpc/grpc-js');
  const proto = (name: string) => fromSdk(`./proto/${name}`);
  const reply = (type: new () => Message, values: Readonly<Record<string, unknown>> = {}) => {
    const message = new type();
    for (const [setter, value] of Object.entries(values)) message[setter]?.(value);
    return message;
  };
  const empty = fromSdk('google-protobuf/google/protobuf/empty_pb.js').Empty;
  const { SupportsFeatureResponse, RegisterResourceResponse } = proto('resource_pb.js');
  const { GetRootResourceResponse, SetRootResourceResponse } = proto('engine_pb.js');
  const logged: { severity: number; message: string }[] = [];
  const always =
    (type: new () => Message, values?: Readonly<Record<string, unknown>>): Call =>
    (_call, answer) =>
      answer(null, reply(type, values));
  const server = new grpc.Server();
  server.addService(proto('resource_grpc_pb.js').ResourceMonitorService, {
    supportsFeature: always(SupportsFeatureResponse, { setHassupport: false }),
    registerResource: always(RegisterResourceResponse, {
      setUrn: 'urn:pulumi:test::raygate::pulumi:pulumi:Stack::raygate-test',
    }),
    registerResourceOutputs: always(empty),
  });
  server.addService(proto('engine_grpc_pb.js').EngineService, {
    log: ((call, answer) => {
      logged.push(call.request.toObject() as { severity: number; message: string });
      answer(null, reply(empty));
    }) satisfies Call,
    getRootResource: always(GetRootResourceResponse),
    setRootResource: always(SetRootResourceResponse),
  });
  const port = await new Promise<number>((done, failed) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error: Error | null, bound: number) =>
      error ? failed(error) : done(bound),
    ),
  );
  return { address: `127.0.0.1:${port}`, logged, close: () => server.forceShutdown() };
}
