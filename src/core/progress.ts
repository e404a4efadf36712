/**
 * Where long work says what it is doing. `activity` is a stable short name (`lab/kubelet`, `go build docker`), `waitingFor` one line
 * that says what is waited for; an empty `waitingFor` ends the activity. Callers may repeat themselves: the
 * listener shows changed lines only.
 */
export type Progress = (activity: string, waitingFor: string) => void;

export const silent: Progress = () => {};
