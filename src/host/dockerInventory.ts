import { type DockerPlace, dockerCommand } from './docker.js';

export interface DockerImage {
  /** `sha256:…`. */
  readonly id: string;
  /** `repository:tag`, sorted; empty for what has no name left. */
  readonly names: readonly string[];
}

export interface DockerVolume {
  readonly name: string;
  /** Made with a container and gone with it. */
  readonly anonymous: boolean;
}

/** Every image of the store, one entry an Id, those without a name too. */
export async function listDockerImages(place: DockerPlace, timeoutSeconds: number): Promise<readonly DockerImage[]> {
  const argv = ['image', 'ls', '--all', '--no-trunc', '--format', '{{json .}}'];
  const { stdout } = await dockerCommand(place, argv, timeoutSeconds);
  const images = new Map<string, string[]>();
  for (const { ID: id, Repository: repository, Tag: tag } of rows(stdout, ['ID', 'Repository', 'Tag'])) {
    const names = images.get(id) ?? [];
    if (repository !== '<none>' && tag !== '<none>') names.push(`${repository}:${tag}`);
    images.set(id, names);
  }
  return [...images].map(([id, names]) => ({ id, names: names.sort() })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function listDockerVolumes(place: DockerPlace, timeoutSeconds: number): Promise<readonly DockerVolume[]> {
  const { stdout } = await dockerCommand(place, ['volume', 'ls', '--format', '{{json .}}'], timeoutSeconds);
  return rows(stdout, ['Name', 'Labels'])
    .map(({ Name: name, Labels: labels }) => ({
      name,
      anonymous: labels.includes('com.docker.volume.anonymous') || /^[0-9a-f]{64}$/.test(name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One JSON object a line, of which these fields are texts. */
function rows<K extends string>(stdout: string, fields: readonly K[]): readonly Readonly<Record<K, string>>[] {
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      const wrong = fields.find((field) => typeof row[field] !== 'string');
      if (wrong !== undefined) throw new Error(`Docker listed an entry without the field ${wrong}.`);
      return row as Record<K, string>;
    });
}
