/**
 * What is run in each Ray container: the interpreter that tasks get says whether it knows `django_ray`, reads the archive once, and
 * starts a process in the expanded archive the way Ray 2.60.0 starts a task there (working folder and variables of the
 * application's RUNTIME_ENV). It is expanded only when its digest is the expected one. Writes below a temporary folder of its own.
 */
const program = `
import hashlib, importlib.util, json, os, subprocess, sys, tempfile, zipfile

path, expected, member = sys.argv[1:4]
inner = (
    "import os, django; django.setup(); import django_ray.runtime.remote; "
    "print(os.path.relpath(os.path.realpath(django_ray.__file__), os.path.realpath(os.getcwd())))"
)


def expand(archive):
    with tempfile.TemporaryDirectory(prefix="raygate-") as folder:
        archive.extractall(folder)
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "testproject.settings",
            "DJANGO_PROCESS": "ray-node",
            "PYTHONPATH": "src:testproject",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        child = subprocess.run(
            [sys.executable, "-c", inner], cwd=folder, env=env, capture_output=True, text=True, timeout=100
        )
        if child.returncode != 0:
            raise RuntimeError((child.stderr.strip().splitlines() or ["no error text"])[-1])
        return child.stdout.strip().splitlines()[-1]


spec = importlib.util.find_spec("django_ray")
bare = None if spec is None else str(spec.origin or list(spec.submodule_search_locations or ["unknown"])[0])
report = {"schema": "raygate.node/1", "bare_django_ray": bare}
try:
    with open(path, "rb") as file:
        report["bytes"] = os.fstat(file.fileno()).st_size
        report["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            report["members"], report["required_member"] = len(names), member in names
            if report["sha256"] == expected:
                report["expanded_django_ray"] = expand(archive)
except Exception as error:
    report["error"] = f"{type(error).__name__}: {error}"[:500]
print(json.dumps(report))
`;

export interface RuntimeEnvProbe {
  /** Of the archive in the pod. */
  readonly path: string;
  readonly sha256: string;
  readonly requiredMember: string;
}

/** The command for the container. It holds no secret: the archive's name and digest are in the evidence. */
export function runtimeEnvProbe({ path, sha256, requiredMember }: RuntimeEnvProbe): readonly string[] {
  return ['python', '-c', program, path, sha256, requiredMember];
}
