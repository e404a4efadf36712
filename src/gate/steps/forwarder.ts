import type { dynamic } from '@pulumi/pulumi';

/**
 * The provider that Pulumi serialises as text into state, once a resource. It captures nothing: each method loads the compiled
 * entry in the plugin's process, whose working folder is the project's.
 */
export const forwarder: dynamic.ResourceProvider = {
  create: (inputs: unknown) => require(`${process.cwd()}/dist/gate/provider/entry.js`).create(inputs),
  update: (id: string, olds: unknown, news: unknown) =>
    require(`${process.cwd()}/dist/gate/provider/entry.js`).update(id, olds, news),
  diff: (id: string, olds: unknown, news: unknown) =>
    require(`${process.cwd()}/dist/gate/provider/entry.js`).diff(id, olds, news),
  delete: (id: string, props: unknown) => require(`${process.cwd()}/dist/gate/provider/entry.js`).remove(id, props),
};
