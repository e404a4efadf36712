import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { controllerClusterKinds, synthController } from '../../src/infra/charts/controller.js';
import { controllerRepository } from '../../src/infra/images.js';
import { checkInventory } from '../../src/infra/inventory/check.js';
import { controllerVersion } from '../../src/infra/versions.js';

const objects = synthController();
// biome-ignore lint/suspicious/noExplicitAny: manifests are read by path here
const find = (identity: string): any => objects.find((object) => object.identity === identity)?.manifest;
const rbac = 'rbac.authorization.k8s.io/v1';

describe('the controller chart', () => {
  it('holds the API, the roles, the account and the Deployment', () => {
    expect(objects.map((object) => object.identity)).toEqual([
      'apiextensions.k8s.io/v1/CustomResourceDefinition/clusters.tau.azure.com',
      'apiextensions.k8s.io/v1/CustomResourceDefinition/quotarequests.tau.azure.com',
      'apiextensions.k8s.io/v1/CustomResourceDefinition/teams.tau.azure.com',
      'apiextensions.k8s.io/v1/CustomResourceDefinition/workspaces.tau.azure.com',
      'apps/v1/Deployment/tau-system/tau-core-controller',
      `${rbac}/ClusterRole/tau-clusterqueue-reader-v1`,
      `${rbac}/ClusterRole/tau-core-controller`,
      `${rbac}/ClusterRole/tau-researcher-drain-v1`,
      `${rbac}/ClusterRole/tau-researcher-v1`,
      `${rbac}/ClusterRoleBinding/tau-core-controller`,
      `${rbac}/Role/tau-system/tau-workspace-leader-election`,
      `${rbac}/Role/tau-system/tau-workspace-platform-rbac-manager`,
      `${rbac}/RoleBinding/tau-system/tau-workspace-leader-election`,
      `${rbac}/RoleBinding/tau-system/tau-workspace-platform-rbac-manager`,
      'v1/Namespace/tau-system',
      'v1/ServiceAccount/tau-system/tau-core-controller',
    ]);
  });

  const expectation = {
    declared: objects,
    namespace: 'tau-system',
    releaseTag: controllerVersion,
    repository: controllerRepository,
    clusterKinds: controllerClusterKinds,
  };

  it('passes its own inventory', () => {
    expect(checkInventory(objects, expectation)).toEqual([]);
  });

  it('passes it only with its list of cluster-scoped kinds', () => {
    const problems = checkInventory(objects, { ...expectation, clusterKinds: [] });
    expect(problems).toHaveLength(9);
    expect(problems[0]).toContain('is cluster-scoped: only the Namespace may be');
  });

  it('binds each role to the one account, ahead of the rest', () => {
    const subject = { kind: 'ServiceAccount', name: 'tau-core-controller', namespace: 'tau-system' };
    const bindings = objects.filter(({ manifest }) => /Binding$/.test(String(manifest['kind'])));
    expect(bindings).toHaveLength(3);
    for (const { manifest } of bindings)
      expect(manifest).toMatchObject({
        metadata: { annotations: { 'argocd.argoproj.io/sync-wave': '-1' } },
        subjects: [subject],
      });
  });

  it('runs under the strictest pod security standard, and bounded', () => {
    const { template, replicas } = find('apps/v1/Deployment/tau-system/tau-core-controller').spec;
    expect(replicas).toBe(1);
    expect(template.spec).toMatchObject({
      serviceAccountName: 'tau-core-controller',
      automountServiceAccountToken: true,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(template.spec.containers).toMatchObject([
      {
        image: `raygate-controller:${controllerVersion}`,
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
        resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '500m', memory: '512Mi' } },
        livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
        startupProbe: { httpGet: { path: '/healthz', port: 'health' } },
      },
    ]);
    expect(template.spec.containers[0].args).toContain('--leader-elect');
  });

  it('is marked by no label that the controller puts on what it owns', () => {
    for (const { manifest, identity } of objects) {
      const labels = (manifest['metadata'] as { labels?: object }).labels ?? {};
      expect(Object.keys(labels), identity).not.toContain('app.kubernetes.io/managed-by');
    }
  });

  it('goes to another system namespace as a whole', () => {
    const moved = JSON.stringify(synthController({ systemNamespace: 'elsewhere' }));
    expect(moved).not.toContain('tau-system');
  });

  it.each([0, 1.5])('names the property and the value that cannot be: %s replicas', (replicas) => {
    expect(() => synthController({ replicas })).toThrow(
      `controller/controller: replicas ${replicas} must be a whole number from 1`,
    );
  });

  it("is of the project's version", async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(text).version).toBe(controllerVersion);
  });
});
