import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { ComponentConfig } from '../../src/infra/constructs/componentConfig.js';
import { ComponentService } from '../../src/infra/constructs/componentService.js';
import { PlainConfigMap } from '../../src/infra/constructs/plainConfigMap.js';
import { PlannedApiObject, type PlannedApiObjectProps } from '../../src/infra/constructs/plannedApiObject.js';
import { RayCluster } from '../../src/infra/constructs/rayCluster.js';
import { SetupJob } from '../../src/infra/constructs/setupJob.js';
import { TaskManager, type TaskManagerProps } from '../../src/infra/constructs/taskManager.js';
import { profiles } from '../../src/infra/profiles.js';

const chart = () => new Chart(new App(), 'chart');

describe('PlannedApiObject', () => {
  it.each([
    {
      name: 'no name',
      metadata: {},
      spec: {},
      says: 'chart/a: manifest.metadata.name of this ConfigMap is missing: give it a fixed name',
    },
    {
      name: 'a null',
      metadata: { name: 'x' },
      spec: { list: [{ value: null }] },
      says: 'chart/a: manifest.spec.list[0].value is null, which synthesis would drop without a word: leave it out',
    },
  ])('refuses $name', ({ metadata, spec, says }) => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata, spec };
    expect(() => new PlannedApiObject(chart(), 'a', { phase: 'prerequisite', manifest })).toThrow(says);
  });
});

describe('an object', () => {
  it('without a phase does not compile', () => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    // @ts-expect-error a phase is a required property
    const props: PlannedApiObjectProps = { manifest };
    expect(props).not.toHaveProperty('phase');
  });

  it('of a phase that there is not does not compile', () => {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    // @ts-expect-error phases are a closed list
    const props: PlannedApiObjectProps = { phase: 'later', manifest };
    expect(props.phase).toBe('later');
  });
});

describe('RayCluster', () => {
  it.each([0, 1.5])('refuses %s workers', (rayWorkers) => {
    const profile = { ...profiles.full, rayWorkers };
    expect(() => new RayCluster(chart(), 'r', { profile })).toThrow(
      `chart/r: profile.rayWorkers ${rayWorkers} must be a whole number from 1`,
    );
  });
});

describe('ComponentConfig', () => {
  it.each(['file:///tmp/a.zip', 'file:///runtime-env/a.tar'])('refuses the archive %s', (archiveUri) => {
    expect(() => new ComponentConfig(chart(), 'c', { archiveUri })).toThrow(
      `chart/c: archiveUri "${archiveUri}" must be file:///runtime-env/NAME.zip`,
    );
  });
});

describe('PlainConfigMap', () => {
  it.each<{ name: string; data: Record<string, string>; says: string }>([
    { name: 'no data', data: {}, says: 'chart/limits: data is empty: give at least one key' },
    {
      name: 'a key with a slash',
      data: { 'a/b': '' },
      says: 'chart/limits: data has the key "a/b": use letters, digits, -, _ and . only',
    },
  ])('refuses $name', ({ data, says }) => {
    expect(() => new PlainConfigMap(chart(), 'limits', { name: 'limits', data })).toThrow(says);
  });
});

describe('TaskManager', () => {
  const resources = profiles.full.resources.application;
  const sound: TaskManagerProps = {
    name: 'reports',
    pool: 'reports',
    queues: ['reports'],
    execution: 'cluster',
    concurrency: 1,
    replicas: 1,
    releaseTag: 'tag',
    configDigest: '0',
    resources,
    waitResources: resources,
  };
  it.each<{ name: string; props: Partial<TaskManagerProps>; says: string }>([
    { name: 'no queue', props: { queues: [] }, says: 'chart/m: queues is empty: name at least one queue' },
    {
      name: 'a queue with a comma',
      props: { queues: ['a,b'] },
      says: 'chart/m: queue "a,b" must be lower-case letters, digits, - and _',
    },
    {
      name: 'a pool that is no label value',
      props: { pool: 'a b' },
      says: 'chart/m: pool "a b" must be a label value',
    },
    { name: 'no replica', props: { replicas: 0 }, says: 'chart/m: replicas 0 must be a whole number from 1' },
    {
      name: 'half a task at a time',
      props: { concurrency: 1.5 },
      says: 'chart/m: concurrency 1.5 must be a whole number from 1',
    },
  ])('refuses $name', ({ props, says }) => {
    expect(() => new TaskManager(chart(), 'm', { ...sound, ...props })).toThrow(says);
  });
});

describe('SetupJob', () => {
  it('refuses a source tree that is none', () => {
    const props = { releaseTag: 'tag', sourceTree: 'HEAD', profile: profiles.full };
    expect(() => new SetupJob(chart(), 's', props)).toThrow('chart/s: sourceTree "HEAD" must be 40 or 64 hex digits');
  });
});

describe('ComponentService', () => {
  it.each([80, 29_999, 32_768])('refuses node port %s', (nodePort) => {
    const props = { name: 's', selector: { app: 's' }, port: 80, nodePort };
    expect(() => new ComponentService(chart(), 's', props)).toThrow(
      `chart/s: nodePort ${nodePort} of Service s must be 30000 to 32767`,
    );
  });
});
