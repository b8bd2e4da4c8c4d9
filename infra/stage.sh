# shellcheck shell=bash
# What infra/deploy and infra/destroy share: checks of this machine and the account, and what a stage has there.
# They set `stage` first.

step() { printf '== %s\n' "$*" >&2; }
say() { printf '   %s\n' "$@" >&2; }
fail() { printf '%s: %s\n' "${0##*/}" "$1" >&2; shift; [ $# -eq 0 ] || say "$@"; exit 1; }

need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || fail "$tool is not installed" "docs/operations.md, \"Deploy\", lists what is needed."
  done
}

# Checks the name of the stage, the aws command, region and credentials. Sets stack, region and account.
check_account() {
  : "${stage:?}"
  [[ $stage =~ ^[a-z][a-z0-9-]{0,15}$ ]] ||
    fail "\"$stage\" is no name of a stage: a letter, then up to 15 letters, digits or hyphens, all lower case"
  stack=renju-arena-$stage
  need aws
  local said
  said=$(aws --version 2>&1) || fail "aws does not start: $said"
  # Version 1 is good enough for an emulator.
  [[ $said == aws-cli/2* || -n ${AWS_ENDPOINT_URL:-} ]] ||
    fail "this is ${said%% *}, but version 2 of the AWS CLI is needed" \
      "Install it: https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html"
  # Old versions of the aws command do not know AWS_REGION, so both variables are set.
  region=${AWS_REGION:-${AWS_DEFAULT_REGION:-$(aws configure get region || true)}}
  [ -n "$region" ] || fail "no region" "Set one: export AWS_REGION=eu-central-1"
  export AWS_REGION=$region AWS_DEFAULT_REGION=$region AWS_PAGER=""
  account=$(aws sts get-caller-identity --query Account --output text 2>&1) ||
    fail "no valid credentials: $account" "Sign in (aws login, aws sso login, or aws configure) and run this again."
}

# The state of the stack; empty if there is none.
stack_state() { describe StackStatus; }

# The current value of a parameter of the stack; empty if there is no stack yet.
deployed() { describe "Parameters[?ParameterKey=='$1'].ParameterValue | [0]"; }

output() { describe "Outputs[?OutputKey=='$1'].OutputValue | [0]"; }

describe() {
  local said
  said=$(aws cloudformation describe-stacks --stack-name "$stack" --output text --query "Stacks[0].$1" 2>&1) ||
    case $said in *"does not exist"*) said="" ;; *) fail "$said" ;; esac
  [ "$said" = None ] || printf '%s' "$said"
}

# Runs a function on the stack of CloudFront. It is in us-east-1, because AWS WAF keeps the rules of CloudFront there; its
# name has the region of the arena, because another region may have a stage of the same name.
on_front() { stack=renju-front-$stage-$region AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 "$@"; }

# Every table of this stage, also those that a deleted stack has left. Stage dev-2 is not stage dev.
tables() {
  local all
  all=$(aws dynamodb list-tables --query 'TableNames[]' --output text) || fail "the tables cannot be listed (dynamodb:ListTables)"
  tr '\t' '\n' <<<"$all" | grep -E "^$stack-(AgentsTable|GamesTable)-[A-Za-z0-9]+\$" || true
}

# The tables that the stack uses; empty if there is no stack.
tables_in_use() {
  output AgentsTable && echo && output GamesTable && echo
}

is_empty() {
  [ "$(aws dynamodb scan --table-name "$1" --limit 1 --no-paginate --select COUNT --query Count --output text)" = 0 ]
}

delete_table() {
  aws dynamodb update-table --table-name "$1" --no-deletion-protection-enabled >/dev/null
  aws dynamodb wait table-exists --table-name "$1"
  aws dynamodb delete-table --table-name "$1" >/dev/null
  aws dynamodb wait table-not-exists --table-name "$1"
}

delete_stack() {
  aws cloudformation delete-stack --stack-name "$stack"
  aws cloudformation wait stack-delete-complete --stack-name "$stack" ||
    fail "the stack $stack could not be deleted" \
      "See why: aws cloudformation describe-stack-events --stack-name $stack, then run this again."
}

# What CloudFormation could not make, the first cause first.
failures() {
  aws cloudformation describe-stack-events --stack-name "$stack" --output text --query \
    "reverse(StackEvents[?contains(ResourceStatus,'FAILED') && ResourceStatusReason!='Resource creation cancelled'].[LogicalResourceId,ResourceStatusReason])" \
    2>/dev/null | head -3 >&2 || true
}
