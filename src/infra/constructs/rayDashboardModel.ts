/** The bundled Grafana dashboard `ray-cluster`: a grid of graphs, two in a row. */
const graphs: readonly {
  readonly title: string;
  readonly unit: string;
  readonly queries: Readonly<Record<string, string>>;
}[] = [
  { title: 'Active nodes', unit: 'short', queries: { 'nodes {{State}}': 'sum by (State) (ray_cluster_active_nodes)' } },
  {
    title: 'CPU cores',
    unit: 'short',
    queries: { used: 'sum(ray_resources{Name="CPU",State="USED"})', all: 'sum(ray_resources{Name="CPU"})' },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: { used: 'sum(ray_node_mem_used)', all: 'sum(ray_node_mem_total)' },
  },
  {
    title: 'Object store memory',
    unit: 'bytes',
    queries: { '{{Location}}': 'sum by (Location) (ray_object_store_memory)' },
  },
  { title: 'Ray tasks by state', unit: 'short', queries: { '{{State}}': 'sum by (State) (ray_tasks)' } },
  {
    title: 'Ray tasks finished and failed',
    unit: 'ops',
    queries: { '{{State}}': 'sum by (State) (rate(ray_tasks{State=~"FINISHED|FAILED"}[5m]))' },
  },
  { title: 'Node CPU', unit: 'percent', queries: { '{{instance}}': 'ray_node_cpu_utilization' } },
  {
    title: 'Node memory',
    unit: 'percent',
    queries: { '{{instance}}': '100 * ray_node_mem_used / ray_node_mem_total' },
  },
  { title: 'Queue depth', unit: 'short', queries: { '{{queue}}': 'django_ray_queue_depth' } },
  { title: 'Executions by state', unit: 'short', queries: { '{{state}}': 'django_ray_tasks_total' } },
  { title: 'Task managers', unit: 'short', queries: { '{{status}}': 'django_ray_worker_leases' } },
  {
    title: 'Executions queued and running',
    unit: 'short',
    queries: { queued: 'django_ray_tasks_queued', running: 'django_ray_tasks_running' },
  },
];

const panelWidth = 12;
const panelHeight = 8;

/** The dashboard in Grafana's JSON model (Grafana 10.2). */
export function rayDashboardModel() {
  return {
    uid: 'ray-cluster',
    title: 'Ray cluster',
    tags: ['ray', 'django-ray'],
    timezone: 'browser',
    schemaVersion: 38,
    refresh: '15s',
    time: { from: 'now-30m', to: 'now' },
    panels: graphs.map((graph, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: graph.title,
      datasource: { type: 'prometheus', uid: 'prometheus' },
      gridPos: { x: (index % 2) * panelWidth, y: Math.floor(index / 2) * panelHeight, w: panelWidth, h: panelHeight },
      fieldConfig: { defaults: { unit: graph.unit, min: 0 }, overrides: [] },
      targets: Object.entries(graph.queries).map(([legend, expr], position) => ({
        refId: String.fromCharCode(65 + position),
        expr,
        legendFormat: legend,
      })),
    })),
  };
}
