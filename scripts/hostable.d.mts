export function hostRefusal(argv: readonly string[], platform: string, uid: number | undefined): string | undefined;
