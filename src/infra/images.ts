import { controllerVersion, pythonVersion, rayVersion } from './versions.js';

/** Repository of the application's image: what a source-bound container runs, under the release tag. */
export const applicationRepository = 'django-ray';

/** Repository of the Ray-based image that is built and checked, and that no pod runs. */
export const legacyRepository = 'django-ray-worker';

/** Repository of the image that runs the workspace controller. */
export const controllerRepository = 'raygate-controller';

/** The controller of this version of the project. */
export const controllerImage = `${controllerRepository}:${controllerVersion}`;

/** Images of others, each under a pinned version. */
export const images = {
  ray: `rayproject/ray:${rayVersion}-py${pythonVersion.replace('.', '')}`,
  python: `python:${pythonVersion}-slim`,
  busybox: 'busybox:1.36',
  postgres: 'postgres:17',
  prometheus: 'prom/prometheus:v2.53.3',
  grafana: 'grafana/grafana:10.2.0',
} as const;

/** `django-ray:<release tag>`. */
export function applicationImage(releaseTag: string): string {
  return `${applicationRepository}:${releaseTag}`;
}
