#!/usr/bin/env bash
# All that is checked of infra/ without AWS: format, validity of the root and of every example, the mocked tests,
# checkov, its SQL, and that the README's reference is the one of the variables. Works on a copy, so that nothing of
# Terraform's own stays in the tree.
# Usage: check.sh PYTHON (with the packages of tools.txt)
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$1

terraform fmt -check -recursive -diff infra
"$python" infra/tests/reference.py --check
"$python" infra/tests/sql.py

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R infra "$copy"
rm -rf "$copy"/infra/packages

for root in infra infra/examples/* infra/tests/double; do
    echo "terraform validate: $root"
    terraform -chdir="$copy/$root" init -backend=false -input=false >"$copy/init.log" || { cat "$copy/init.log"; exit 1; }
    terraform -chdir="$copy/$root" validate -no-color
done
terraform -chdir="$copy/infra" test -no-color

# Each finding that stays is justified beside its resource. A file that cannot be read would be found innocent.
echo "checkov"
find "$copy" -name .terraform -prune -exec rm -rf {} +
"$(dirname "$python")"/checkov --directory "$copy/infra" --framework terraform --skip-path tests \
    --quiet --compact --skip-download --output json >"$copy/checkov.json" || true
"$python" - "$copy/checkov.json" <<'EOF'
import json, sys

found = json.load(open(sys.argv[1]))
for check in found["results"]["failed_checks"]:
    print(check["check_id"], check["check_name"], check["resource"], check["file_path"])
summary = found["summary"]
print({name: summary[name] for name in ("passed", "failed", "skipped", "parsing_errors")})
sys.exit(summary["failed"] + summary["parsing_errors"] > 0 or summary["passed"] == 0)
EOF
