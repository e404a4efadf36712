import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kubeRayContracts } from '../../src/gate/model/kuberay.js';
import type { KubeRayContract } from '../../src/gate/model/kuberayContract.js';
import { type PodTemplate, readPodTemplate } from '../../src/gate/model/podTemplate.js';
import { plannedRayPods } from '../../src/gate/model/rayPods.js';
import { readRayTopology } from '../../src/gate/model/rayTopology.js';
import { judgeOperator } from '../../src/gate/rules/kuberayOperator.js';
import { noAdditions, podDifference, templateDifference } from '../../src/gate/rules/templateDifference.js';

const golden = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'golden', name), 'utf8'));

describe('pods that KubeRay 1.6.2 itself made', () => {
  const { rayCluster, pods } = golden('kuberay-1.6.2.json');
  const { headGroupSpec, workerGroupSpecs } = rayCluster.spec;
  const operator = kubeRayContracts['1.6.2'] as KubeRayContract;
  const topology = readRayTopology(rayCluster.spec);
  if (!topology.ok) throw new Error(topology.problem);
  const planned = plannedRayPods(
    {
      topology: topology.topology,
      templates: {
        head: readPodTemplate(headGroupSpec.template),
        'worker:worker-group': readPodTemplate(workerGroupSpecs[0].template),
      },
      restart: 'required',
      operatorVersion: '1.6.2',
    },
    operator,
  );

  test.each(Object.keys(pods))('are what the contract says: %s', (role) => {
    const live = readPodTemplate(pods[role]);
    expect(podDifference(live, planned[role] as PodTemplate, operator.additions)).toBeUndefined();
  });

  test('are of both roles', () => {
    expect(Object.keys(pods)).toEqual(Object.keys(planned));
  });

  test.each([
    ['1.6.2', 'ready'],
    ['1.6.1', 'failed'],
  ])('and an operator %s is %s', (version, kind) => {
    const deployment = {
      metadata: { name: 'kuberay-operator', namespace: 'ops' },
      spec: { template: { spec: { containers: [{ image: `quay.io/kuberay/operator:v${version}` }] } } },
    };
    expect(judgeOperator([deployment], rayCluster.spec.rayVersion).kind).toBe(kind);
  });
});

describe('templates that Kubernetes 1.35.4 itself gave back', () => {
  const { planned, templates, pods } = golden('apiserver-1.35.4.json');

  test.each(Object.keys(planned))('are the planned ones, and so are their pods: %s', (name) => {
    const template = readPodTemplate(planned[name]);
    expect(templateDifference(readPodTemplate(templates[name]), template, noAdditions)).toBeUndefined();
    expect(podDifference(readPodTemplate(pods[name]), template, noAdditions)).toBeUndefined();
  });
});
