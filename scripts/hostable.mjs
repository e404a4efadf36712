/**
 * Why the command of `argv` cannot host the lab on this machine, or undefined. Known before any package is installed: what the
 * first command needs is said before it costs minutes. `src/lab/machine/requirements.ts` asks again, for every other way in.
 */
export function hostRefusal(argv, platform, uid) {
  const isStart = argv[0] === 'start';
  const elsewhere = argv.some((word) => /^--context(=|$)/.test(word) || word === '--help' || word === '-h');
  if (!isStart || elsewhere) return undefined;
  const lacks =
    platform !== 'linux' ? `Linux, this is ${platform}` : uid !== 0 ? `root, this is uid ${uid}` : undefined;
  return lacks && `the lab needs ${lacks}; use your own cluster: npm start -- --context NAME`;
}
