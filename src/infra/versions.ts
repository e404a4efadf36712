/** Ray on the cluster and in the application's client: both sides must be equal (Ray 2.60.0 refuses another version). */
export const rayVersion = '2.60.0';

/** Python on every side of a Ray connection: the Ray client demands the same minor version. */
export const pythonVersion = '3.13';

/** The operator that the RayCluster types and the injected init container belong to. */
export const kuberayVersion = '1.6.2';

/** Of the workspace controller, its image and its Helm chart: the project's own, as in package.json. */
export const controllerVersion = '0.1.0';
