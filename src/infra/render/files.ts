/** Path below an output folder, with `/`, to the file's text. */
export type Files = ReadonlyMap<string, string>;

/** The same files below a folder. */
export function below(folder: string, files: Files): Files {
  return new Map([...files].map(([path, text]) => [`${folder}/${path}`, text]));
}
