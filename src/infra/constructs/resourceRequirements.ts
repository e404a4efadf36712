import type { ResourceRequirements } from '../imports/kubernetes.js';
import type { Resources } from '../profiles.js';

export function resourceRequirements(resources: Resources): ResourceRequirements {
  return {
    requests: { cpu: resources.cpuRequest, memory: resources.memoryRequest },
    limits: { cpu: resources.cpuLimit, memory: resources.memoryLimit },
  };
}
