import { ApiObject, App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { type OverlayOptions, synthOverlay } from '../../src/infra/charts/overlay.js';
import { plannedObjects } from '../../src/infra/charts/plannedObjects.js';
import { checkInventory } from '../../src/infra/inventory/check.js';
import { fieldsOf } from '../../src/infra/inventory/walk.js';
import type { PlannedObject } from '../../src/infra/plannedObject.js';
import { type ProfileName, profileNames, profiles } from '../../src/infra/profiles.js';
import { placeholderArchiveUri, placeholderReleaseTag, placeholderSourceTree } from '../../src/infra/releaseTag.js';

const options: OverlayOptions = {
  profile: 'full',
  releaseTag: placeholderReleaseTag,
  sourceTree: placeholderSourceTree,
  archiveUri: placeholderArchiveUri,
  runtimeEnvAccess: 'RWX',
};
const overlay = synthOverlay(options);

// biome-ignore lint/suspicious/noExplicitAny: manifests are read by path here
type Any = any;
const find = (identity: string, objects: readonly PlannedObject[] = overlay): Any =>
  objects.find((object) => object.identity === identity)?.manifest;
const podSpecs = (objects: readonly PlannedObject[]) =>
  objects.flatMap(({ identity, manifest }): { identity: string; spec: Any }[] => {
    const spec = manifest['spec'] as Any;
    if (spec?.headGroupSpec)
      return [spec.headGroupSpec, ...spec.workerGroupSpecs].map((group: Any) => ({
        identity,
        spec: group.template.spec,
      }));
    return spec?.template ? [{ identity, spec: spec.template.spec }] : [];
  });
const containersOf = (spec: Any): Any[] => [...(spec.initContainers ?? []), ...spec.containers];

describe('the overlay', () => {
  it('holds the objects of the contract, each in its phase', () => {
    const phases = Object.fromEntries(overlay.map((object) => [object.identity, object.phase]));
    expect(phases).toMatchObject({
      'v1/Namespace/django-ray': 'prerequisite',
      'v1/ServiceAccount/django-ray/prometheus': 'prerequisite',
      'rbac.authorization.k8s.io/v1/Role/django-ray/prometheus-django-ray': 'prerequisite',
      'rbac.authorization.k8s.io/v1/RoleBinding/django-ray/prometheus-django-ray': 'prerequisite',
      'v1/ConfigMap/django-ray/django-ray-config': 'prerequisite',
      'v1/ConfigMap/django-ray/grafana-dashboard-import-script': 'prerequisite',
      'v1/ConfigMap/django-ray/grafana-dashboards': 'prerequisite',
      'v1/ConfigMap/django-ray/grafana-dashboards-provider': 'prerequisite',
      'v1/ConfigMap/django-ray/grafana-datasources': 'prerequisite',
      'v1/ConfigMap/django-ray/prometheus-config': 'prerequisite',
      'v1/Service/django-ray/django-web-svc': 'prerequisite',
      'v1/Service/django-ray/grafana-svc': 'prerequisite',
      'v1/Service/django-ray/postgres-svc': 'prerequisite',
      'v1/Service/django-ray/prometheus-svc': 'prerequisite',
      'v1/Service/django-ray/ray-dashboard-svc': 'prerequisite',
      'v1/PersistentVolumeClaim/django-ray/postgres-pvc': 'prerequisite',
      'v1/PersistentVolumeClaim/django-ray/runtime-env-pvc': 'prerequisite',
      'apps/v1/Deployment/django-ray/grafana': 'prerequisite',
      'apps/v1/Deployment/django-ray/postgres': 'prerequisite',
      'apps/v1/Deployment/django-ray/prometheus': 'prerequisite',
      'networking.k8s.io/v1/Ingress/django-ray/django-ray-ingress': 'prerequisite',
      'v1/Secret/django-ray/django-ray-secret': 'preserved',
      'batch/v1/Job/django-ray/django-setup': 'setup',
      'apps/v1/Deployment/django-ray/django-web': 'workload',
      'ray.io/v1/RayCluster/django-ray/ray': 'workload',
      'apps/v1/Deployment/django-ray/django-ray-worker': 'rollout',
      'apps/v1/Deployment/django-ray/django-ray-worker-sync': 'rollout',
      'apps/v1/Deployment/django-ray/django-ray-worker-ml': 'rollout',
    });
  });

  it.each(profileNames)('passes its own inventory in profile %s', (profile) => {
    const objects = synthOverlay({ ...options, profile });
    const expectation = { namespace: 'django-ray', releaseTag: placeholderReleaseTag, repository: 'django-ray' };
    expect(checkInventory(objects, { declared: objects, ...expectation })).toEqual([]);
  });

  it('is the same each time', () => {
    expect(JSON.stringify(synthOverlay(options))).toBe(JSON.stringify(overlay));
  });

  it('hands Secret keys out one by one, to containers that need them and to no Ray pod', () => {
    const uses = podSpecs(overlay).flatMap(({ identity, spec }) =>
      containersOf(spec).flatMap((container) =>
        (container.env ?? [])
          .filter((variable: Any) => variable.valueFrom?.secretKeyRef)
          .map(
            (variable: Any) => `${identity.split('/').at(-1)}.${container.name} ${variable.valueFrom.secretKeyRef.key}`,
          ),
      ),
    );
    const database = ['DATABASE_USER', 'DATABASE_PASSWORD'];
    const superuser = ['DJANGO_SUPERUSER_USERNAME', 'DJANGO_SUPERUSER_EMAIL', 'DJANGO_SUPERUSER_PASSWORD'];
    const rows: [string, string[]][] = [
      ['django-ray-worker.django-ray-worker', database],
      ['django-ray-worker-ml.django-ray-worker', database],
      ['django-ray-worker-sync.django-ray-worker', database],
      ['django-web.run-migrations', database],
      ['django-web.django-web', ['DJANGO_SECRET_KEY', 'DJANGO_API_TOKEN', ...database]],
      ['grafana.grafana', ['GRAFANA_ADMIN_PASSWORD']],
      ['postgres.postgres', ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB']],
      ['django-setup.django-setup', [...database, ...superuser]],
    ];
    expect(uses).toEqual(rows.flatMap(([container, keys]) => keys.map((key) => `${container} ${key}`)));
    const whole = overlay
      .flatMap((object) => [...fieldsOf(object.manifest)])
      .filter((field) => field.key === 'secretRef');
    expect(whole).toEqual([]);
    expect(JSON.stringify(find('ray.io/v1/RayCluster/django-ray/ray'))).not.toContain('ecret');
    const mounted = podSpecs(overlay).flatMap(({ spec }) =>
      (spec.volumes ?? []).filter((volume: Any) => volume.secret),
    );
    expect(mounted.map((volume: Any) => volume.secret)).toEqual([
      { secretName: 'django-ray-secret', items: [{ key: 'DJANGO_API_TOKEN', path: 'DJANGO_API_TOKEN' }] },
    ]);
  });

  it('runs every container without root, privileges and capabilities', () => {
    for (const { identity, spec } of podSpecs(overlay)) {
      expect(spec.securityContext, identity).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containersOf(spec))
        expect(container.securityContext, `${identity} ${container.name}`).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('gives a service-account token to Prometheus only', () => {
    const withToken = podSpecs(overlay).filter(({ spec }) => spec.automountServiceAccountToken !== false);
    expect(withToken.map(({ identity }) => identity)).toEqual(['apps/v1/Deployment/django-ray/prometheus']);
  });

  it('bounds every container', () => {
    for (const { identity, spec } of podSpecs(overlay))
      for (const container of containersOf(spec)) {
        const text = expect.stringMatching(/^\d+(m|Mi|Gi)?$/);
        const both = { cpu: text, memory: text };
        expect(container.resources, `${identity} ${container.name}`).toEqual({ requests: both, limits: both });
      }
  });

  it('lets no probe wait a fixed time', () => {
    const delays = overlay.flatMap((o) => [...fieldsOf(o.manifest)]).filter((f) => f.key === 'initialDelaySeconds');
    expect(delays).toEqual([]);
  });

  it('replaces the database before it starts another on its claim', () => {
    expect(find('apps/v1/Deployment/django-ray/postgres').spec.strategy).toEqual({ type: 'Recreate' });
  });

  it('keeps the setup Job until something replaces it', () => {
    expect(find('batch/v1/Job/django-ray/django-setup').spec).not.toHaveProperty('ttlSecondsAfterFinished');
  });

  it('allows the Host header that Prometheus scrapes with', () => {
    const hosts = find('v1/ConfigMap/django-ray/django-ray-config').data.DJANGO_ALLOWED_HOSTS;
    expect(hosts).toBe('localhost,127.0.0.1,django-ray.localhost,django-web-svc');
  });

  it('fixes the node ports', () => {
    const ports = overlay
      .flatMap((object) => (object.manifest['spec'] as Any)?.ports ?? [])
      .map((port: Any) => port.nodePort);
    expect(ports.filter(Boolean).sort()).toEqual([30030, 30080, 30090, 30265]);
  });

  it('names an archive inside the folder that Ray nodes mount, or does not synthesise', () => {
    expect(() => synthOverlay({ ...options, archiveUri: 'https://example.com/a.zip' })).toThrow(
      'overlay/config: archiveUri "https://example.com/a.zip" must be file:///runtime-env/NAME.zip',
    );
  });

  it('asks for the access mode that was set', () => {
    const claim = find(
      'v1/PersistentVolumeClaim/django-ray/runtime-env-pvc',
      synthOverlay({ ...options, runtimeEnvAccess: 'RWO' }),
    );
    expect(claim.spec.accessModes).toEqual(['ReadWriteOnce']);
  });
});

describe('the RayCluster', () => {
  const { spec } = find('ray.io/v1/RayCluster/django-ray/ray');

  it('has the size of the profile, fixed', () => {
    expect(spec.enableInTreeAutoscaling).toBe(false);
    expect(spec.rayVersion).toBe('2.60.0');
    expect(spec.headGroupSpec.serviceType).toBe('NodePort');
    expect(spec.workerGroupSpecs).toMatchObject([
      { groupName: 'worker-group', replicas: 4, minReplicas: 4, maxReplicas: 4 },
    ]);
  });

  it('starts the head with Ray first and the importer second, and declares no init container', () => {
    const head = spec.headGroupSpec.template.spec;
    expect(head.containers.map((c: Any) => `${c.name} ${c.image}`)).toEqual([
      'ray-head rayproject/ray:2.60.0-py313',
      'dashboard-importer python:3.13-slim',
    ]);
    expect(head.containers[1]).not.toHaveProperty('readinessProbe');
    const worker = spec.workerGroupSpecs[0].template.spec;
    expect(worker.containers.map((c: Any) => c.name)).toEqual(['ray-worker']);
    expect([head.initContainers, worker.initContainers]).toEqual([undefined, undefined]);
  });

  it('mounts the archives read-only, at one path, in Ray containers', () => {
    const mounts = [spec.headGroupSpec, spec.workerGroupSpecs[0]].map((group: Any) =>
      group.template.spec.containers[0].volumeMounts.find((mount: Any) => mount.name === 'runtime-env'),
    );
    const mount = { name: 'runtime-env', mountPath: '/runtime-env', readOnly: true };
    expect(mounts).toEqual([mount, mount]);
  });
});

describe('profiles', () => {
  /** Thousandths of a core, or Mi. */
  const amount = (text: string) => {
    const number = Number.parseFloat(text);
    if (text.endsWith('m')) return number;
    if (text.endsWith('Mi')) return number;
    if (text.endsWith('Gi')) return number * 1024;
    return number * 1000;
  };
  const requests = (profile: ProfileName, resource: 'cpu' | 'memory') =>
    synthOverlay({ ...options, profile })
      .filter((object) => object.manifest['kind'] !== 'Job')
      .flatMap(({ manifest }) => {
        const spec = manifest['spec'] as Any;
        const pods: [Any, number][] = spec?.headGroupSpec
          ? [[spec.headGroupSpec, 1], ...spec.workerGroupSpecs.map((g: Any): [Any, number] => [g, g.replicas])]
          : spec?.template
            ? [[spec, spec.replicas]]
            : [];
        return pods.map(
          ([{ template }, count]) =>
            template.spec.containers.reduce((sum: number, c: Any) => sum + amount(c.resources.requests[resource]), 0) *
            count,
        );
      })
      .reduce((sum, one) => sum + one, 0);

  it.each([
    { profile: 'full', cpu: 5300, memory: 7104 },
    { profile: 'lean', cpu: 3200, memory: 4800 },
  ] as const)('$profile asks for what the contract sums up', ({ profile, cpu, memory }) => {
    expect({ cpu: requests(profile, 'cpu'), memory: requests(profile, 'memory') }).toEqual({ cpu, memory });
  });

  it('lab has the counts of full and fits a node of 2 cores', () => {
    const { defaultManagers, rayWorkers } = profiles.full;
    expect(profiles.lab).toMatchObject({ defaultManagers, rayWorkers });
    expect(requests('lab', 'cpu')).toBeLessThan(1000);
    expect(requests('lab', 'memory')).toBeLessThan(4096);
  });
});

describe('synthesis', () => {
  const chart = () => new Chart(new App(), 'chart');

  it('ends at an object without a phase, with its path', () => {
    const stray = chart();
    new ApiObject(stray, 'stray', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'stray' } });
    expect(() => plannedObjects(stray)).toThrow(
      'chart/stray: ConfigMap stray has no phase: make it with PlannedApiObject',
    );
  });
});
