import { Construct } from 'constructs';
import { KubeJob } from '../imports/kubernetes.js';
import { names, runtimeEnvFolder } from '../names.js';
import type { Profile } from '../profiles.js';
import { applicationContainer, applicationPod } from './applicationPod.js';
import { plainEnvironment, secretEnvironment } from './environment.js';
import { objectMeta, ownershipLabels } from './objectMeta.js';
import { PlannedApiObject } from './plannedApiObject.js';
import { waitForPostgres } from './waitForPort.js';

export interface SetupJobProps {
  readonly releaseTag: string;
  /** The git tree that the release was built from, 40 or 64 hex digits: part of the archive's name. */
  readonly sourceTree: string;
  readonly profile: Profile;
}

/**
 * Migrates the database, collects static files, writes the RuntimeEnv archive and makes the superuser, once for each release.
 * It has no TTL: it would vanish under Pulumi, and with it what it reported.
 */
export class SetupJob extends Construct {
  constructor(scope: Construct, id: string, props: SetupJobProps) {
    super(scope, id);
    const { releaseTag, sourceTree, profile } = props;
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sourceTree))
      throw new Error(`${this.node.path}: sourceTree "${sourceTree}" must be 40 or 64 hex digits`);
    const labels = { app: 'django-ray', component: 'setup' };
    const container = applicationContainer({
      name: names.setupJob,
      releaseTag,
      args: ['setup'],
      env: [
        ...plainEnvironment({ RAYGATE_SOURCE_TREE: sourceTree }),
        ...secretEnvironment('DATABASE_USER', 'DATABASE_PASSWORD'),
        ...secretEnvironment('DJANGO_SUPERUSER_USERNAME', 'DJANGO_SUPERUSER_EMAIL', 'DJANGO_SUPERUSER_PASSWORD'),
      ],
      resources: profile.resources.application,
      mounts: [
        { name: 'static-files', mountPath: '/app/staticfiles' },
        { name: 'runtime-env', mountPath: runtimeEnvFolder },
      ],
    });
    const pod = applicationPod({
      initContainers: [waitForPostgres(profile.resources.wait)],
      container,
      volumes: [
        { name: 'static-files', emptyDir: {} },
        { name: 'runtime-env', persistentVolumeClaim: { claimName: names.runtimeEnvClaim } },
      ],
    });
    new PlannedApiObject(this, 'job', {
      phase: 'setup',
      manifest: KubeJob.manifest({
        metadata: objectMeta(names.setupJob, { labels }),
        spec: {
          template: {
            metadata: { labels: { ...ownershipLabels, ...labels } },
            spec: { ...pod, restartPolicy: 'OnFailure' },
          },
        },
      }),
    });
  }
}
