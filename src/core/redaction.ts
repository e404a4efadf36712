/** Keeps secrets out of texts. */
export interface Redactor {
  register(secret: string): void;
  clean(text: string): string;
}
