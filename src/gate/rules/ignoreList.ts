/** An allow-list ignore file of a Dockerfile: everything is left out but what is named. */
export interface IgnoreListContract {
  /** Below the repository's top folder. */
  readonly path: string;
  /** Patterns in order, comments and blank lines dropped. */
  readonly patterns: readonly string[];
}

const tail = ['**/__pycache__', '**/*.py[co]', '**/.env*', '**/*.sqlite3*'];
const sources = ['!src/', '!src/**', '!testproject/', '!testproject/**'];

export const ignoreLists: readonly IgnoreListContract[] = [
  {
    path: 'app/Dockerfile.dockerignore',
    patterns: [
      '**',
      '!Dockerfile',
      '!pyproject.toml',
      '!requirements.lock',
      '!README.md',
      '!docker-entrypoint.sh',
      ...sources,
      ...tail,
    ],
  },
  {
    path: 'app/Dockerfile.ray.dockerignore',
    patterns: [
      '**',
      '!Dockerfile.ray',
      '!pyproject.toml',
      '!requirements.node.lock',
      '!README.md',
      ...sources,
      ...tail,
    ],
  },
];

/** Why a committed ignore file is not the allow-list; undefined when it is. Missing and altered are told apart. */
export function ignoreListProblem(contract: IgnoreListContract, content: string | undefined): string | undefined {
  if (content === undefined)
    return `The commit lacks "${contract.path}": without it the whole folder would reach the build.`;
  const patterns = content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const index = contract.patterns.findIndex((pattern, i) => pattern !== patterns[i]);
  if (index < 0 && patterns.length === contract.patterns.length) return undefined;
  const at = index < 0 ? contract.patterns.length : index;
  const [is, should] = [patterns[at] ?? '(nothing)', contract.patterns[at] ?? '(nothing)'];
  return `"${contract.path}" has "${is}" as pattern ${at + 1} where the allow-list has "${should}".`;
}
