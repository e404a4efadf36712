import { CustomResource } from '@pulumi/kubernetes/apiextensions/customResource.js';
import { ConfigMap } from '@pulumi/kubernetes/core/v1/configMap.js';
import { NamespacePatch } from '@pulumi/kubernetes/core/v1/namespacePatch.js';
import { PersistentVolumeClaim } from '@pulumi/kubernetes/core/v1/persistentVolumeClaim.js';
import { Service } from '@pulumi/kubernetes/core/v1/service.js';
import { ServiceAccount } from '@pulumi/kubernetes/core/v1/serviceAccount.js';
import type * as pulumi from '@pulumi/pulumi';
import { keptKinds } from '../keptKinds.js';
import type { Manifest } from '../plannedObject.js';

type Make = (name: string, manifest: Manifest, options: pulumi.CustomResourceOptions) => pulumi.CustomResource;

/**
 * Core kinds by their typed class, since the class for all other kinds would give them another type token than Pulumi's own.
 * The Namespace exists before the stack and outlives it: we own some of its fields and never the object.
 */
const coreKinds: Readonly<Record<string, Make>> = {
  ConfigMap: (name, manifest, options) => new ConfigMap(name, manifest, options),
  Namespace: (name, manifest, options) => new NamespacePatch(name, manifest, options),
  PersistentVolumeClaim: (name, manifest, options) => new PersistentVolumeClaim(name, manifest, options),
  Service: (name, manifest, options) => new Service(name, manifest, options),
  ServiceAccount: (name, manifest, options) => new ServiceAccount(name, manifest, options),
};

/** Registers one object as one Pulumi resource, under `Kind/name`. */
export function objectResource(manifest: Manifest, given: pulumi.CustomResourceOptions): pulumi.CustomResource {
  const { apiVersion, kind, metadata } = manifest as { apiVersion: string; kind: string; metadata: { name: string } };
  const name = `${kind}/${metadata.name}`;
  const options = keptKinds.has(kind) ? { ...given, retainOnDelete: true } : given;
  if (apiVersion !== 'v1') return new CustomResource(name, { ...manifest, apiVersion, kind }, options);
  const make = Object.hasOwn(coreKinds, kind) ? coreKinds[kind] : undefined;
  if (!make)
    throw new Error(`${name}: no class for core kind ${kind}: add it to coreKinds in deploy/objectResource.ts`);
  return make(name, manifest, options);
}
