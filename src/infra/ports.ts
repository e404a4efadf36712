/** Ports inside the cluster. */
export const ports = {
  web: 8000,
  webService: 80,
  postgres: 5432,
  prometheus: 9090,
  grafana: 3000,
  rayGcs: 6379,
  rayDashboard: 8265,
  rayClient: 10001,
  rayMetrics: 8080,
  controllerMetrics: 8080,
  controllerHealth: 8081,
} as const;

/** Ports on every node, and so on this machine. */
export const nodePorts = {
  web: 30080,
  prometheus: 30090,
  grafana: 30030,
  rayDashboard: 30265,
} as const;
