/** A DNS-1123 label of at most 63 characters: a namespace. */
export const dnsLabel = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

/** The same, or nothing. */
export const dnsLabelOrEmpty = '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$';

/** A DNS-1123 subdomain of at most 253 characters: the name of a ServiceAccount, LocalQueue or ClusterQueue. */
export const dnsSubdomain = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';

/** A Kubernetes quantity (apimachinery 0.35, `resource.Quantity`). */
export const quantity =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
