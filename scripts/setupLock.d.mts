export function withSetupLock<T>(lock: string, say: (line: string) => void, work: () => Promise<T> | T): Promise<T>;
