/** Who or what something is, field by field: `pod web-1`, its UID, its restarts. */
export interface Pin {
  readonly subject: string;
  /** What people call it, for a message. */
  readonly called?: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** What one layer saw and went by. */
export interface LayerPins {
  readonly layer: string;
  readonly pins: readonly Pin[];
}
