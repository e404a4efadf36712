/** A claim and the volume that it is bound to. */
export interface ClaimSeen {
  readonly name: string;
  readonly uid: string;
  /** Empty while it is not bound. */
  readonly volume: string;
}

/** PostgreSQL as data: what `initdb` named it, whatever pod serves it. */
export type PostgresSeen =
  | { readonly kind: 'observed'; readonly pod: string; readonly podUid: string; readonly systemIdentifier: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** What a run must leave as it was. */
export interface PreservedSnapshot {
  readonly claims: readonly ClaimSeen[];
  readonly postgres: PostgresSeen;
  /** `dataDigest` is keyed with what only the run's folder holds: it says that data is the same, and nothing of it. */
  readonly secret: { readonly uid: string; readonly dataDigest: string } | undefined;
  /** Namespaces other than ours; those already on their way out are not in it. */
  readonly namespaces: readonly { readonly name: string; readonly uid: string }[];
  readonly docker: {
    /** Those that carry a name other than ours, and those that carry none: these come and go with builds, and are not compared. */
    readonly images: readonly { readonly id: string; readonly names: readonly string[] }[];
    /** Those with a name of their own. */
    readonly volumes: readonly string[];
    /** They come and go with containers: counted, and not compared. */
    readonly anonymousVolumes: number;
  };
}
