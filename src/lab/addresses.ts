/**
 * The lab's addresses, one home. The node lives on the pod bridge: its address exists before the first pod, does not
 * change with the machine's network, and pods reach the API server on it. Ports stand apart from those of other local clusters.
 */
export const addresses = {
  nodeName: 'raygate-lab',
  podBridge: 'raygate0',
  nodeIp: '10.244.0.1',
  podCidr: '10.244.0.0/24',
  serviceCidr: '10.96.0.0/16',
  kubernetesServiceIp: '10.96.0.1',
  dnsServiceIp: '10.96.0.10',
  clusterDomain: 'cluster.local',
  dockerBridge: 'raygate1',
  dockerBridgeIp: '10.245.0.1/24',
  dockerCidr: '10.245.0.0/24',
} as const;

/** TCP ports that must be free, by who listens there. */
export const ports = {
  apiserver: 16443,
  etcdClient: 12379,
  etcdPeer: 12380,
  etcdMetrics: 12381,
  controllerManager: 16257,
  scheduler: 16259,
  kubelet: 16250,
  kubeletHealth: 16248,
  kubeProxyHealth: 16256,
  kubeProxyMetrics: 16249,
} as const;

export const contextName = 'docker-desktop';
export const apiServerUrl = `https://127.0.0.1:${ports.apiserver}`;
