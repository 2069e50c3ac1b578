"""Runs the steps of a workflow as GitHub would, without GitHub: steps.py DIRECTORY WORKFLOW RUNNER-FOLDER.

It knows what the action 'check-mod' needs: inputs and their defaults, `env`, `run`, and GITHUB_PATH.
"""

import os
import pathlib
import re
import subprocess
import sys

import yaml

mod, workflow, runner = (pathlib.Path(argument) for argument in sys.argv[1:])
root = pathlib.Path(__file__).resolve().parents[2]
runner.mkdir(exist_ok=True)
paths = runner / "path"
paths.write_text("")


def filled(text, values):
    """The text with its `${{ NAME }}` replaced; a name that is not known is a mistake in the action."""
    return re.sub(r"\$\{\{\s*([\w.-]+)\s*\}\}", lambda found: values[found[1]], str(text))


def run(step, values):
    if step["shell"] != "bash":
        sys.exit(f"unknown shell {step['shell']}")
    environment = {
        "HOME": str(runner),
        "PATH": ":".join(paths.read_text().split()[::-1] + ["/usr/local/bin", "/usr/bin", "/bin"]),
        "GITHUB_PATH": str(paths),
        "RUNNER_OS": "Linux",
        "RUNNER_ARCH": "X64",
        "RUNNER_TEMP": str(runner),
        "RELEASE": os.environ["RELEASE"],
        **{name: filled(value, values) for name, value in step.get("env", {}).items()},
    }
    command = filled(step["run"], values)
    print(f"== {step['name']}", flush=True)
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=mod, env=environment)
    if done.returncode != 0:
        sys.exit(done.returncode)


for job in yaml.safe_load((mod / ".github/workflows" / workflow).read_text())["jobs"].values():
    for step in job["steps"]:
        name = step["uses"].split("@")[0]
        if name == "actions/checkout":
            continue  # the directory is the checkout
        folder = root / name.split("/", 2)[2]
        action = yaml.safe_load((folder / "action.yml").read_text())
        given = step.get("with", {})
        values = {"github.action_path": str(folder)}
        for key, described in action["inputs"].items():
            if described.get("required") and key not in given:
                sys.exit(f"the action needs {key}")
            values[f"inputs.{key}"] = given.get(key, described.get("default", ""))
        for inner in action["runs"]["steps"]:
            run(inner, values)
