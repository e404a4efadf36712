/** The files of an evidence folder, by what they are. Each but the first follows from `document`; `index` has the digests of all. */
export const evidenceFiles = {
  document: 'evidence.json',
  lines: 'evidence.txt',
  statement: 'evidence.intoto.json',
  junit: 'evidence.junit.xml',
  page: 'evidence.html',
  index: 'evidence.index.json',
} as const;

export const failureFiles = {
  report: 'failure.json',
  junit: 'failure.junit.xml',
  page: 'failure.html',
} as const;
