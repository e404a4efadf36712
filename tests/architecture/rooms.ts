/** The table of rooms (README, "The house"): what each may import, and where packages with a meaning of their own may be used. */
interface Room {
  /** Path under src, most specific first: the first that fits a file is its room. */
  readonly path: string;
  /** Paths under src that it may import, beside its own room. */
  readonly mayImport: readonly string[] | 'anything';
}

export const rooms: readonly Room[] = [
  { path: 'core/', mayImport: [] },
  { path: 'api/', mayImport: ['core/'] },
  { path: 'host/', mayImport: ['core/'] },
  { path: 'cluster/', mayImport: ['core/'] },
  { path: 'drain/', mayImport: ['core/', 'api/'] },
  { path: 'workspace/', mayImport: ['core/', 'api/', 'cluster/', 'drain/'] },
  // What Pulumi serialises and loads beside the program: it sees types of the model and nothing else.
  { path: 'gate/steps/', mayImport: ['gate/model/'] },
  { path: 'gate/', mayImport: ['core/', 'cluster/', 'host/', 'drain/'] },
  { path: 'infra/program.ts', mayImport: ['core/', 'api/', 'cluster/', 'host/', 'infra/', 'gate/index.ts'] },
  { path: 'infra/', mayImport: ['core/', 'api/'] },
  { path: 'lab/', mayImport: ['core/', 'host/', 'cluster/'] },
  { path: 'cli/', mayImport: 'anything' },
];

export const packageHomes: readonly { readonly packages: RegExp; readonly mayBeUsedIn: readonly string[] }[] = [
  { packages: /^(cdk8s|constructs)$/, mayBeUsedIn: ['infra/constructs/', 'infra/charts/', 'infra/imports/'] },
  { packages: /^@pulumi\//, mayBeUsedIn: ['infra/deploy/', 'infra/program.ts', 'gate/steps/', 'cli/'] },
  { packages: /^ws$/, mayBeUsedIn: ['cluster/'] },
];

/** The one file that may only pass on what others export. */
export const barrels: readonly string[] = ['gate/index.ts'];

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Why an import between two files of src is refused; undefined when the table allows it. */
export function refuseEdge({ from, to }: Edge): string | undefined {
  const room = rooms.find((each) => from.startsWith(each.path));
  if (!room) return `${from}: stands in no room of the table`;
  if (room.mayImport === 'anything') return undefined;
  const target = rooms.find((each) => to.startsWith(each.path));
  if (target === room) return undefined;
  // A room's inner rooms may be used from the room itself, not the other way round.
  if (target?.path.startsWith(room.path)) return undefined;
  if (room.mayImport.some((path) => to.startsWith(path))) return undefined;
  return `${from} imports ${to}: ${room.path} may import only ${room.mayImport.join(', ') || 'node builtins'}`;
}

export function refusePackage({ from, to }: Edge): string | undefined {
  const home = packageHomes.find((each) => each.packages.test(to));
  if (!home || home.mayBeUsedIn.some((path) => from.startsWith(path))) return undefined;
  return `${from} uses ${to}: it belongs to ${home.mayBeUsedIn.join(', ')}`;
}
