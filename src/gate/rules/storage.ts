import { failed, ready, type Verdict } from '../../core/verdict.js';

export interface ClaimFacts {
  readonly name: string;
  /** As planned. */
  readonly accessModes: readonly string[];
  /** Whether a volume has been given to it already, for these very modes: then the storage has shown that it can. */
  readonly bound: boolean;
}

export interface StorageFacts {
  /** The plan's claims; they name no StorageClass. */
  readonly claims: readonly ClaimFacts[];
  readonly defaultClass: { readonly name: string; readonly provisioner: string } | undefined;
  /** Whether local-path-provisioner is set up with a shared file system instead of the nodes' own folders. */
  readonly sharedLocalPath: boolean;
  readonly nodes: number;
}

/**
 * Provisioners that give a volume to one node only, whatever is asked for. Sources: local-path-provisioner 0.0.30 (kind's, and that
 * of Docker Desktop on kind nodes), dynamic-localpv-provisioner 4.2 of OpenEBS.
 */
const oneNodeProvisioners = new Set(['rancher.io/local-path', 'openebs.io/local']);

/** Provisioners that are known to share a volume: `docker.io/hostpath` is Docker Desktop's, one folder of its one node. */
const sharingProvisioners = new Set(['docker.io/hostpath']);

/**
 * Whether the cluster's storage can serve the plan's claims, as far as its provisioner's name says; where it says nothing, or a
 * claim would have to wait, a note does.
 */
export function judgeStorage(facts: StorageFacts): Verdict<{ readonly notes: readonly string[] }> {
  const open = facts.claims.filter((claim) => !claim.bound);
  const { defaultClass, nodes } = facts;
  if (open.length === 0) return ready({ notes: [] });
  const names = open.map((claim) => claim.name).join(', ');
  if (!defaultClass) {
    const note = `no StorageClass is the default: ${names} stay Pending until one is, or until a volume is made for them by hand`;
    return ready({ notes: [note] });
  }
  const { name, provisioner } = defaultClass;
  const many = open.find((claim) => claim.accessModes.includes('ReadWriteMany'));
  if (many) {
    const shares = sharingProvisioners.has(provisioner) || (provisioner === localPath && facts.sharedLocalPath);
    if (shares) return ready({ notes: [] });
    if (oneNodeProvisioners.has(provisioner)) {
      return failed(
        'preflight.storage-access',
        `Claim ${many.name} asks for ReadWriteMany, and the default StorageClass ${name} (${provisioner}) serves ReadWriteOnce only: set raygate:runtimeEnvAccess to RWO, which serves one node, or make a class of shared storage the default.`,
      );
    }
    const note = `whether StorageClass ${name} (${provisioner}) serves ReadWriteMany is not known: claim ${many.name} stays Pending if it does not`;
    return ready({ notes: [note] });
  }
  if (nodes > 1) return ready({ notes: [`${names} serve one node each, and the cluster has ${nodes}`] });
  return ready({ notes: [] });
}

const localPath = 'rancher.io/local-path';
