/**
 * Whether an error that is not ours (of Pulumi's provider, Docker, a library) sounds like somebody's absence that passes. The one
 * place where an error is judged by its words: our own say it themselves (`GateError.retryable`).
 */
export function soundsPassing(text: string): boolean {
  return /connection refused|connection reset|ECONNREFUSED|ECONNRESET|\bEOF\b|i\/o timeout|TLS handshake timeout|unreachable|etcdserver/i.test(
    text,
  );
}
