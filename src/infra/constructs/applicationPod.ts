import { applicationImage } from '../images.js';
import type { Container, EnvVar, PodSpec, Volume, VolumeMount } from '../imports/kubernetes.js';
import type { Resources } from '../profiles.js';
import { configEnvironment } from './environment.js';
import { isolatedPod, sealedContainer, userIds } from './hardening.js';
import { resourceRequirements } from './resourceRequirements.js';

export interface ApplicationContainerProps {
  readonly name: string;
  readonly releaseTag: string;
  /** Mode of the image's entrypoint and its arguments, such as `web` or `worker --sync`. */
  readonly args: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly resources: Resources;
  /** Beside `/tmp`, which every application container has. Default: none. */
  readonly mounts?: readonly VolumeMount[];
}

/** A container of the application's own image: it runs the built release and nothing else. */
export function applicationContainer(props: ApplicationContainerProps): Container {
  const { name, releaseTag, args, env = [], resources, mounts = [] } = props;
  return {
    name,
    image: applicationImage(releaseTag),
    imagePullPolicy: 'IfNotPresent',
    args: [...args],
    envFrom: configEnvironment(),
    env: [...env],
    resources: resourceRequirements(resources),
    securityContext: sealedContainer,
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }, ...mounts],
  };
}

export interface ApplicationPodProps {
  readonly initContainers: readonly Container[];
  readonly container: Container;
  readonly volumes?: readonly Volume[];
}

/** A pod of the application: its own user, no service-account token, `/tmp` of its own. */
export function applicationPod(props: ApplicationPodProps): PodSpec {
  return {
    ...isolatedPod(userIds.application),
    initContainers: [...props.initContainers],
    containers: [props.container],
    volumes: [{ name: 'tmp', emptyDir: {} }, ...(props.volumes ?? [])],
  };
}
