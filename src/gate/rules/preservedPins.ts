import { secretName } from '../model/kinds.js';
import type { Pin } from '../model/pin.js';
import type { ClaimSeen, PreservedSnapshot } from '../model/preserved.js';

/**
 * What must be the same at the end of a run. More than there was is no loss; less, or another under the same name, is. An image may lose
 * its name to a newer one in the meantime, as long as its content is still there.
 */
export function preservedPins(before: PreservedSnapshot): readonly Pin[] {
  const images = before.docker.images.filter(({ names }) => names.length > 0);
  return seenPins({ ...before, docker: { ...before.docker, images } });
}

/** All of it as it stands. */
export function seenPins({ claims, postgres, secret, namespaces, docker }: PreservedSnapshot): readonly Pin[] {
  return [
    ...claims.map(claimPin),
    ...(postgres.kind === 'observed'
      ? [{ subject: 'PostgreSQL', fields: { 'system identifier': postgres.systemIdentifier } }]
      : []),
    ...(secret === undefined ? [] : [secretPin(secret)]),
    ...namespaces.map(({ name, uid }) => ({ subject: `Namespace ${name}`, fields: { uid } })),
    ...docker.images.map(({ id, names }) => ({ subject: `Docker image ${id}`, called: names[0] ?? '', fields: {} })),
    ...docker.volumes.map((name) => ({ subject: `Docker volume ${name}`, fields: {} })),
  ];
}

/** A claim that was not bound may be bound since: that is its first volume, and no other one. */
export function claimPin({ name, uid, volume }: ClaimSeen): Pin {
  return { subject: `PersistentVolumeClaim ${name}`, fields: { uid, ...(volume === '' ? {} : { volume }) } };
}

export function secretPin({ uid, dataDigest }: NonNullable<PreservedSnapshot['secret']>): Pin {
  return { subject: `Secret ${secretName}`, fields: { uid, 'data digest': dataDigest } };
}

/** What the four evidence keys say: each rests on the look before the run's first change, and on the same look at its end. */
export function preservedValues(before: PreservedSnapshot) {
  const { claims, postgres, namespaces, docker } = before;
  const images = docker.images.filter(({ names }) => names.length > 0);
  const there = (isThere: boolean) => (isThere ? 'true' : 'not-present-before');
  return {
    preserved_postgresql: { observed: 'true', absent: 'not-present-before', unreadable: 'not-observed' }[postgres.kind],
    preserved_pvcs: there(claims.length > 0),
    preserved_unrelated_namespaces: there(namespaces.length > 0),
    preserved_unrelated_docker_data: there(images.length + docker.volumes.length > 0),
  } as const;
}
