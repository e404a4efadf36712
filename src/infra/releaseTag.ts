/** Stands for the release tag where nothing is built: manifests rendered in CI stay equal from commit to commit. */
export const placeholderReleaseTag = 'local-gate-tree-000000000000-00000000';

/** Stands for the git tree in the same place. */
export const placeholderSourceTree = '0'.repeat(40);

/** Stands for the archive in the same place. */
export const placeholderArchiveUri = 'file:///runtime-env/django-ray-source-000000000000-000000000000.zip';
