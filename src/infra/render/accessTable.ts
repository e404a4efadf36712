import { accessRoles, type DeclaredAccess } from '../../api/access/declaredAccess.js';
import { optionalGroups } from '../../api/access/optionalGroups.js';

/** The declared reads and writes as a Markdown table: for each permission, the reconcile path that needs it. */
export function renderAccessTable(rows: readonly DeclaredAccess[]): string {
  const lines = rows.map(({ role, group, resource, names, verbs, path }) => {
    const optional = Object.hasOwn(optionalGroups, group) ? optionalGroups[group as keyof typeof optionalGroups] : '';
    const cells = [accessRoles[role], group === '' ? 'core' : group, resource, (names ?? []).join(', ')];
    return `| ${[...cells, verbs.join(', '), path, optional].join(' | ')} |`;
  });
  return [
    '# What the workspace controller may do, and why',
    '',
    'Rendered from the table of declared reads and writes in `src/api/access`, as its roles are: neither holds what the other lacks.',
    '',
    '| role | group | resource | names | verbs | needed by | served by, if at all |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}
